// One call of the command: global options, and the runner that commands share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/components/component_book.hpp"
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
};

inline constexpr const char* kDefaultScheduler = "local_cwd";

class Invocation {
 public:
  explicit Invocation(GlobalOptions options) : options_(std::move(options)) {}

  const GlobalOptions& options() const { return options_; }
  bool json() const { return options_.json; }

  /// Made at the first use: commands that need no plug-in read no manifest.
  Runner& runner();
  resources::ResourceBook& resources();
  components::ComponentBook& components();

  /// Whether to write colours to `fd` (a terminal, and nobody asked for none).
  bool color(int fd) const;

 private:
  GlobalOptions options_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<resources::ResourceBook> resources_;
  std::unique_ptr<components::ComponentBook> components_;
};

}  // namespace slipway::cli
