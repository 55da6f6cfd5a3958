// One call of the command: global options, and the runner that commands share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/components/component_book.hpp"
#include "core/config/settings.hpp"
#include "core/resources/resource_book.hpp"
#include "core/runner/runner.hpp"

namespace slipway::cli {

struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  int verbose = 0;
  bool no_color = false;
  bool no_plugins = false;
  bool show_secrets = false;
  std::string log_level;
  std::string session = kDefaultSession;
  std::vector<std::string> plugin_path;
  double plugin_timeout_s = 5;
  std::string config_file;
  std::string profile;
};

inline constexpr const char* kDefaultScheduler = "local_cwd";

class Invocation {
 public:
  explicit Invocation(GlobalOptions options, config::Settings config = {},
                      config::SiteRules site = {})
      : options_(std::move(options)), config_(std::move(config)), site_(std::move(site)) {}

  const GlobalOptions& options() const { return options_; }
  bool json() const { return options_.json; }
  /// How long a plug-in may take to answer when several are asked.
  std::chrono::milliseconds plugin_timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options_.plugin_timeout_s * 1000));
  }
  /// What all layers say; nothing for commands that read no configuration.
  const config::Settings& config() const { return config_; }
  /// What the site's configuration says about accounts and values.
  const config::SiteRules& site() const { return site_; }

  /// Made at the first use: commands that need no plug-in read no manifest.
  Runner& runner();
  resources::ResourceBook& resources() { return runner().resources(); }
  components::ComponentBook& components();

  /// Whether to write colours to `fd` (a terminal, and nobody asked for none).
  bool color(int fd) const;

 private:
  GlobalOptions options_;
  config::Settings config_;
  config::SiteRules site_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<components::ComponentBook> components_;
};

}  // namespace slipway::cli
