#include "plugins/local/scheduler/local_options.hpp"

#include <cmath>
#include <utility>

#include "plugins/local/scheduler/life_options.hpp"
#include "plugins/local/scheduler/log_options.hpp"
#include "plugins/local/scheduler/retention_options.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr double kDefaultGraceSeconds = 10;
constexpr double kLongestGraceSeconds = 7 * 24 * 3600;

}  // namespace

RunOpts declared_options(std::string_view entry) {
  RunOpts out = {
      {"log_dir", ValueType::kStr,
       "directory for the replicas' logs, made when missing: "
       "<log_dir>/<session>/<app_id>/<role>/<replica>, with the user's name before the session "
       "where "
       "log_dir is sticky and other users may write to it, as /tmp is; without it they are kept "
       "with "
       "the app's state",
       false, std::monostate{}},
      {"prepend_cwd", ValueType::kBool,
       "put the replica's working directory in front of its PATH instead of behind the role's own",
       false, false},
      {"auto_set_cuda_visible_devices", ValueType::kBool,
       "give each replica its own GPUs of this machine through CUDA_VISIBLE_DEVICES, by the role's "
       "resource",
       false, false},
      {"grace_s", ValueType::kFloat, "seconds between SIGTERM and SIGKILL when an app is cancelled",
       false, kDefaultGraceSeconds},
      {"extra_paths", ValueType::kList,
       "directories added to the PATH of every replica, before the inherited ones", false,
       std::monostate{}},
  };
  for (const RunOpt& option : life_options()) out.add(option);
  for (const RunOpt& option : limit_options()) out.add(option);
  for (const RunOpt& option : log_options()) out.add(option);
  for (const RunOpt& option : retention_options()) out.add(option);
  if (entry == "local") {
    out.add({"image_provider", ValueType::kStr,
             "name of the image provider for every role; without it each image tells: a "
             "directory, an archive, NAME://...",
             false, std::monostate{}});
  }
  return out;
}

LocalOptions read_options(const Cfg& cfg) {
  LocalOptions out;
  out.log_dir = cfg.text("log_dir");
  out.prepend_cwd = cfg.boolean("prepend_cwd");
  out.auto_set_cuda_visible_devices = cfg.boolean("auto_set_cuda_visible_devices");
  out.extra_paths = cfg.list("extra_paths");
  out.image_provider = cfg.text("image_provider");
  out.rules = read_life_rules(cfg);
  out.limits = read_limit_options(cfg);
  out.logs = read_log_rules(cfg);
  out.chooses_pipes = out.logs.combined && chooses_pipes(cfg);
  out.retention = read_retention(cfg);
  const double grace = cfg.real("grace_s", kDefaultGraceSeconds);
  if (!(grace >= 0 && grace <= kLongestGraceSeconds)) {
    throw Error(Code::kInvalid, "run option grace_s must be between 0 and 604800 seconds (a week)");
  }
  out.grace_ms = static_cast<std::int64_t>(std::llround(grace * 1000));
  if (out.log_dir.find('\0') != std::string::npos) {
    throw Error(Code::kInvalid, "run option log_dir holds a NUL character");
  }
  return out;
}

}  // namespace slipway::local
