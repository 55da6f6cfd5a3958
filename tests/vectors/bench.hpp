// What the kinds that need a plug-in run in: a directory of their own, environment variables, the scheduler.
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

/// Sets environment variables and the working directory, and puts both back. One at a time.
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

/// An empty directory below the system's temporary directory, removed with everything in it.
class ScratchDirectory {
 public:
  /// Throws BenchError when it cannot be made.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  /// `<path>/<name>`, made if missing.
  std::string make(const std::string& name) const;

 private:
  std::string path_;
};

/// The plug-ins under test; loaded when the first case needs one. Single-threaded, as the environment is changed.
class Bench {
 public:
  /// `plugins`: the directory of their manifests.
  explicit Bench(std::string plugins) : plugins_(std::move(plugins)) {}

  const std::string& plugins() const { return plugins_; }
  /// A new object of the scheduler. Throws BenchError when it cannot be had.
  registry::AdoptedScheduler scheduler(std::string_view name, std::string_view session);
  /// The components of the provider. Throws BenchError when they cannot be had.
  registry::AdoptedComponents components(std::string_view provider);

  /// The named resources of the plug-ins.
  resources::ResourceBook& resources() { return runner("vectors").resources(); }

  /// The library as a program uses it, in a session; valid as long as the bench.
  Runner& runner(const std::string& session);

  /// The plug-ins; made at the first call.
  registry::PluginHost& host();

 private:
  template <class Use>
  auto use_host(Use use);

  std::string plugins_;
  std::map<std::string, std::unique_ptr<Runner>> runners_;  ///< by session
};

}  // namespace slipway::vectors
