// One call of `slipway`: its global options, its configuration, and the runner that commands share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/components/component_book.hpp"
#include "core/config/config_file.hpp"
#include "core/config/settings.hpp"
#include "core/resources/resource_book.hpp"
#include "core/runner/runner.hpp"

namespace slipway::cli {

/// The default of --plugin-timeout.
inline constexpr int kPluginTimeoutS = 5;

/// The options that every command has. The help texts explain them (add_globals() of
/// parser/command_tree.cpp).
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  int verbose = 0;  ///< how often -v was given
  bool no_color = false;
  bool no_plugins = false;
  bool show_secrets = false;
  std::string log_level;
  std::string session = kDefaultSession;
  std::vector<std::string> plugin_path;
  std::string checked_manifest;  ///< no option; see SearchOptions
  double plugin_timeout_s = kPluginTimeoutS;
  std::optional<double> timeout_s;
  std::string config_file;
  std::string profile;
};

/// The scheduler of new apps if neither the command line nor the configuration names one.
inline constexpr const char* kDefaultScheduler = "local_cwd";

/// One call of `slipway`. Commands get it as their first argument.
class Invocation {
 public:
  explicit Invocation(GlobalOptions options, config::Settings config = {},
                      config::SiteRules site = {})
      : options_(std::move(options)), config_(std::move(config)), site_(std::move(site)) {}

  const GlobalOptions& options() const { return options_; }
  /// Sets the words of the command line, without the name of the program.
  void called_with(std::vector<std::string> words) { words_ = std::move(words); }
  const std::vector<std::string>& words() const { return words_; }
  bool json() const { return options_.json; }
  /// Returns the time that each plug-in has to answer when a command asks several.
  std::chrono::milliseconds plugin_timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options_.plugin_timeout_s * 1000));
  }
  /// Returns the time limit for the trial of a plug-in by `plugin check` and `plugin doctor`: twice
  /// that of a query, because a plug-in may need the whole limit to find that its engine does not
  /// answer, and must then still report it.
  std::chrono::milliseconds plugin_trial_timeout() const { return 2 * plugin_timeout(); }
  /// Returns the time in which a plug-in must start if the command needs it
  /// (core/docs/decisions/0117_start_of_plugins_is_limited.md).
  std::chrono::milliseconds plugin_start_timeout() const { return 6 * plugin_timeout(); }
  /// Returns the settings of all layers; none for commands that read no configuration.
  const config::Settings& config() const { return config_; }
  /// Returns the site's rules about accounts and values.
  const config::SiteRules& site() const { return site_; }

  /// Returns the runner. Constructs it at the first call, so that commands without a runner read no
  /// manifest. The first call also starts the time limit of --timeout, which limits calls of
  /// plug-ins.
  Runner& runner();
  resources::ResourceBook& resources() { return runner().resources(); }
  /// Returns the components of all plug-ins. Constructs the runner if necessary.
  components::ComponentBook& components();

  /// Records that a thread that was left running uses this object. Nothing may destroy it then.
  void keep_for_thread() { is_kept_ = true; }
  bool is_kept() const { return is_kept_; }

  /// Returns whether to write colours to `fd`: if it is a terminal and no setting forbids colours.
  bool color(int fd) const;

 private:
  GlobalOptions options_;
  config::Settings config_;
  config::SiteRules site_;
  std::vector<std::string> words_;
  bool is_kept_ = false;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<components::ComponentBook> components_;
};

}  // namespace slipway::cli
