#include "core/cli/invocation/invocation.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "core/cli/invocation/runner_settings.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/plugin_crash.hpp"
#include "core/cli/terminal/time_limit.hpp"

namespace slipway::cli {

namespace {

/// Returns the scheduler that files and variables choose. Ignores `-s` on the command line, which
/// is not a default.
std::string default_scheduler(const config::Settings& settings) {
  for (const config::Setting* setting : settings.layers_of(config::kSchedulerOfRun)) {
    if (setting->layer != config::Layer::kFlag) return setting->value.text;
  }
  return kDefaultScheduler;
}

}  // namespace

Runner& Invocation::runner() {
  if (!runner_) {
    watch_plugins(options_.json);
    limit_plugin_starts(plugin_start_timeout());
    if (options_.timeout_s) start_time_limit(std::chrono::duration<double>(*options_.timeout_s));
    RunnerOptions options;
    options.session = options_.session;
    options.search.plugin_path = options_.plugin_path;
    options.search.no_plugins = options_.no_plugins;
    options.search.checked_manifest = options_.checked_manifest;
    const registry::TrustPolicy trust = trust_policy(site_);
    options.search.trusted_owners = trust.owners;
    options.search.trusted_groups = trust.groups;
    options.state_dirs = state_dirs(config_);
    options.trackers = trackers(config_);
    options.default_scheduler = default_scheduler(config_);
    options.query_limit = plugin_timeout();
    options.log = [](LogLevel level, std::string_view plugin_id, std::string_view message) {
      const std::string id = plugin_id.empty() ? "" : std::string(plugin_id) + ": ";
      say(level, id + with_indented_lines(message));
    };
    runner_ = std::make_unique<Runner>(std::move(options));
    runner_->plugins().registry().configure(plugin_settings(config_));
  }
  return *runner_;
}

components::ComponentBook& Invocation::components() {
  if (!components_) components_ = std::make_unique<components::ComponentBook>(runner().plugins());
  return *components_;
}

bool Invocation::color(int fd) const {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (options_.no_color || (no_color != nullptr && *no_color != '\0')) return false;
  if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
  return ::isatty(fd) == 1;
}

}  // namespace slipway::cli
