#include "plugins/local/scheduler/acted_on.hpp"

namespace slipway::local {

std::vector<AppField> acted_on(const LocalOptions& options) {
  const bool enforces = options.enforce != Enforce::kNone;
  const char* limited = enforces ? "" : "with -c enforce=cgroup (or rlimit)";
  return {
      {"image", ""},
      {"min_replicas", ""},
      {"max_retries", ""},
      {"retry_policy.APPLICATION", ""},
      {"retry_policy.REPLICA", ""},
      {"retry_policy.ROLE", ""},
      {"port_map", ""},
      {"metadata", ""},
      {"resource.cpu", limited},
      {"resource.memMB", limited},
      {"resource.gpu", options.lease_gpus ? "" : "with -c gpus=lease"},
      {"resource.tags", ""},
      {"mounts.bind", ""},
      {"macros", ""},
      {"app.metadata", ""},
  };
}

}  // namespace slipway::local
