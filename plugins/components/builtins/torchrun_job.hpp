// A job of processes that torchrun starts and that find each other: what dist.ddp and dist.spmd have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/components/arguments/main_program.hpp"
#include "plugins/components/arguments/node_range.hpp"
#include "slipway/app.hpp"
#include "slipway/options.hpp"

namespace slipway::builtins {

/// Where the processes of several nodes meet. A job of one node meets in itself, at a free port.
struct Rendezvous {
  std::string backend = "c10d";
  std::optional<std::string> conf;  ///< `join_timeout=600,close_timeout=600`
  std::int64_t port = 29500;        ///< of the first replica's host
};

/// The app. `args` has what both components take by the same names: script, m, image, name, env, max_retries, mounts,
/// debug; `words` are the program's own arguments. Throws Error(kInvalid) unless exactly one of script and m is given.
AppDef torchrun_job(const Cfg& args, const StrList& words, const NodeRange& nodes,
                    const Rendezvous& rendezvous, std::int64_t tee, Resource resource);

}  // namespace slipway::builtins
