// Reads the app file of --app.
#pragma once

#include <string>

#include "slipway/app.hpp"

namespace slipway::check {

/// Reads a TOML app file as `slipway run` does, with these keys: name, metadata, and of roles name,
/// image, entrypoint, args, env, num_replicas, max_retries, and resource as numbers (cpu, gpu,
/// memMB). Throws UsageError (run/options.hpp) with file and line, also for any other key, because
/// the kit must not submit only a part of the app.
AppDef read_app_file(const std::string& path);

}  // namespace slipway::check
