// The app of --app.
#pragma once

#include <string>

#include "slipway/app.hpp"

namespace slipway::check {

/// Reads a TOML app file as `slipway run` takes it, as far as the kit knows it: name, metadata, and of roles name, image,
/// entrypoint, args, env, num_replicas, max_retries, and resource as numbers (cpu, gpu, memMB). Throws UsageError
/// (run/options.hpp) with file and line, also for a key that it does not know: an app that is submitted is the whole app.
AppDef read_app_file(const std::string& path);

}  // namespace slipway::check
