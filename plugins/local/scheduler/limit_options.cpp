#include "plugins/local/scheduler/limit_options.hpp"

#include <string>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

[[noreturn]] void unknown(const std::string& option, const std::string& value,
                          const std::string& known) {
  throw Error(Code::kInvalid, "run option " + option + ": '" + value + "' is not known",
              "it is one of " + known);
}

}  // namespace

RunOpts limit_options() {
  return {
      {"gpus", ValueType::kStr,
       "how GPUs are shared between apps: none, they are not; lease, each app has those that its "
       "roles' resources ask for to itself, and waits until they are free",
       false, "none"},
      {"enforce", ValueType::kStr,
       "how the memory and cpu of a role's resource are made to hold: none, they are not; rlimit, "
       "for each process; cgroup, for each replica",
       false, "none"},
  };
}

LimitOptions read_limit_options(const Cfg& cfg) {
  LimitOptions out;
  const std::string gpus = cfg.text("gpus");
  if (!gpus.empty() && gpus != "none" && gpus != "lease") unknown("gpus", gpus, "none, lease");
  out.lease_gpus = gpus == "lease";
  if (out.lease_gpus && cfg.boolean("auto_set_cuda_visible_devices")) {
    throw Error(Code::kInvalid,
                "the run options gpus=lease and auto_set_cuda_visible_devices=true contradict each "
                "other",
                "a lease tells replicas their GPUs, too: leave auto_set_cuda_visible_devices out");
  }
  const std::string enforce = cfg.text("enforce");
  if (enforce == "rlimit") {
    out.enforce = Enforce::kRlimit;
  } else if (enforce == "cgroup") {
    out.enforce = Enforce::kCgroup;
  } else if (!enforce.empty() && enforce != "none") {
    unknown("enforce", enforce, "none, rlimit, cgroup");
  }
  return out;
}

}  // namespace slipway::local
