// The environment of kinds that need a plug-in: temporary directories, variables, schedulers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry/plugin_host.hpp"
#include "core/runner/runner.hpp"

namespace slipway::vectors {

/// Sets environment variables and the working directory; the destructor restores them. Only one
/// object may exist at a time.
class Surroundings {
 public:
  explicit Surroundings(const std::string& working_directory);
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  void set(const std::string& name, const std::string& value);
  void unset(const std::string& name);

 private:
  void remember(const std::string& name);

  std::string old_directory_;
  std::vector<std::pair<std::string, std::optional<std::string>>> old_values_;
};

/// A temporary directory; the destructor removes it with its content.
class ScratchDirectory {
 public:
  /// Throws BenchError on failure.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  /// Returns `<path>/<name>` and creates it if it does not exist.
  std::string make(const std::string& name) const;

 private:
  std::string path_;
};

/// The plug-ins under test, loaded when the first case needs one. Single-threaded, because cases
/// change the environment.
class Bench {
 public:
  /// `plugins` is the directory of the manifests.
  explicit Bench(std::string plugins) : plugins_(std::move(plugins)) {}

  const std::string& plugins() const { return plugins_; }
  /// Returns a new object of the scheduler. Throws BenchError on failure.
  registry::PluginScheduler scheduler(std::string_view name, std::string_view session);
  /// Returns the components of the provider. Throws BenchError on failure.
  registry::PluginComponents components(std::string_view provider);

  /// Returns the named resources of the plug-ins.
  resources::ResourceBook& resources() { return runner("vectors").resources(); }

  /// Returns the library's Runner for a session; valid as long as the bench.
  Runner& runner(const std::string& session);

  /// Returns the plug-ins, which the first call loads.
  registry::PluginHost& host();

 private:
  template <class Use>
  auto use_host(Use use);

  std::string plugins_;
  std::map<std::string, std::unique_ptr<Runner>> runners_;  ///< by session
};

}  // namespace slipway::vectors
