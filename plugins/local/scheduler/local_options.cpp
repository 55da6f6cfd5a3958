#include "plugins/local/scheduler/local_options.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "plugins/local/engine/plan_options.hpp"
#include "sdk/support/rules/option_reader.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

constexpr std::int64_t kMostApps = 1'000'000'000'000;  // more than any disk holds

/// Visits every option but image_provider, which only `local` declares. `options` is a
/// LocalOptions, constant or not.
template <typename Visit, typename Options>
void visit_options(Visit& visit, Options& options) {
  visit(Option{"log_dir",
               "directory for the replicas' logs, created if missing: "
               "<log_dir>/<session>/<app_id>/<role>/<replica>, with the user's name before the "
               "session if log_dir is sticky and other users may write to it, as /tmp is; "
               "without this option logs are in the app's record"},
        options.log_dir, Text{});
  visit(
      Option{"prepend_cwd",
             "put the replica's working directory before its PATH instead of after the role's own "
             "directories"},
      options.prepend_cwd, Flag{});
  visit(Option{"auto_set_cuda_visible_devices",
               "set CUDA_VISIBLE_DEVICES as TorchX does: each replica of the app gets as many GPUs "
               "of this machine as its role asks for, which other apps may also use"},
        options.auto_set_cuda_visible_devices, Flag{});
  visit(Option{"extra_paths",
               "directories added to the PATH of every replica, before the inherited ones"},
        options.extra_paths, TextList{});
  visit_life_options(visit, options.rules);
  visit(Option{"gpus",
               "how apps share GPUs: none, without rules; lease, an app waits until as many GPUs "
               "as its roles ask for are free, and no other app gets them until it ends"},
        options.lease_gpus, Choice<2>{{"none", "lease"}});
  visit(Option{"enforce",
               "how the memory and cpu of a role's resource limit its replicas: none, not at all; "
               "rlimit, each process; cgroup, each replica"},
        options.enforce, Choice<3>{{"none", "rlimit", "cgroup"}});
  visit_log_options(visit, options.logs);
  visit(Option{"keep_days",
               "how many days a finished app is kept; older ones are deleted when the next app "
               "starts"},
        options.keep_days, Real{0, 36'500});
  visit(Option{"keep_gb",
               "how many GB the records of finished apps, with the logs in them, may take; the "
               "oldest are deleted when the next app starts, except those that ended in the last "
               "24 hours"},
        options.keep_gb, Real{0, 1e6});
  visit(Option{"keep_apps", "how many finished apps are kept at most, whenever they ended"},
        options.keep_apps, OptionalCount{0, kMostApps});
  visit(Option{"cache_size", "TorchX's name for keep_apps, which wins if both are given"},
        options.cache_size, OptionalCount{0, kMostApps});
}

constexpr Option kImageProvider{
    "image_provider",
    "name of the image provider for every role; without it each image determines its own: a "
    "directory, an archive, NAME://..."};

[[noreturn]] void contradiction(const std::string& what, const std::string& hint) {
  throw Error(Code::kInvalid, "the run options " + what + " contradict each other", hint);
}

/// Throws for options that contradict each other.
void check_together(const LocalOptions& options) {
  if (options.lease_gpus && options.auto_set_cuda_visible_devices) {
    contradiction("gpus=lease and auto_set_cuda_visible_devices=true",
                  "a lease also sets the variables: leave auto_set_cuda_visible_devices out");
  }
  if (options.logs.combined) return;
  if (options.logs.pipes) {
    contradiction(
        "log_pipes=true and log_combined=false",
        "the supervisor empties the pipes while it writes combined.log: leave one of them out");
  }
  if (options.logs.piece_bytes > 0) {
    contradiction(
        "log_max_mb and log_combined=false",
        "the supervisor applies the limit while it writes combined.log: leave one of them out");
  }
}

}  // namespace

RunOpts declared_options(std::string_view entry) {
  rules::Declaration declare;
  const LocalOptions defaults;
  visit_options(declare, defaults);
  if (entry == "local") declare(kImageProvider, defaults.image_provider, Text{});
  return std::move(declare.out);
}

LocalOptions read_options(const Cfg& cfg) {
  LocalOptions options;
  rules::OptionReader parse(cfg);
  visit_options(parse, options);
  // With the other schedulers this option is never given.
  parse(kImageProvider, options.image_provider, Text{});
  check_together(options);
  options.logs.times = options.logs.times && options.logs.combined;
  options.chooses_pipes = options.logs.combined && !parse.is_given({"log_pipes", ""});
  return options;
}

Retention LocalOptions::retention() const {
  constexpr double kDayMs = 24.0 * 3600 * 1000;
  Retention out;
  const std::optional<std::int64_t> number = keep_apps ? keep_apps : cache_size;
  if (number) out.apps = static_cast<std::size_t>(*number);
  out.age_ms = static_cast<std::int64_t>(std::llround(keep_days * kDayMs));
  out.bytes = static_cast<std::int64_t>(std::llround(keep_gb * 1e9));
  return out;
}

}  // namespace slipway::local
