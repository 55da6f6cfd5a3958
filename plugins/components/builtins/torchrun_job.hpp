// Builds a torchrun job, an app with one role whose replicas run torchrun, one on each node: the
// code and the parameters that dist.ddp and dist.spmd share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/components/arguments/main_program.hpp"
#include "plugins/components/arguments/node_range.hpp"
#include "slipway/app.hpp"
#include "slipway/components.hpp"
#include "slipway/options.hpp"

namespace slipway::builtins {

/// The rendezvous of the processes of several nodes. A job on one node uses a free port on that
/// node.
struct Rendezvous {
  std::string backend = "c10d";
  std::optional<std::string> conf;  ///< `join_timeout=600,close_timeout=600`
  std::int64_t port = 29500;        ///< a port on the first replica's node
};

/// Returns the parameters `--script`, `-m`, `--image` and `--name`.
std::vector<ComponentParam> program_params();

/// Returns the parameter `--debug`.
ComponentParam debug_param();

/// Returns the app. `args` holds the parameters that both components have: script, m, image, name,
/// env, max_retries, mounts, debug. `words` are the program's own arguments. `tee` selects the
/// output to show, as `--tee` of dist.ddp. `resource` is that of each node. Throws Error(kInvalid)
/// unless exactly one of script and m is given and not empty, if the app's name has a quote ('),
/// and for max_retries or mounts that count() and mounts() refuse.
AppDef torchrun_job(const Cfg& args, const StrList& words, const NodeRange& nodes,
                    const Rendezvous& rendezvous, std::int64_t tee, Resource resource);

}  // namespace slipway::builtins
