#include "tests/vectors/bench.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "slipway/error.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

namespace fs = std::filesystem;

Surroundings::Surroundings(const std::string& working_directory)
    : old_directory_(fs::current_path().string()) {
  fs::current_path(working_directory);
}

Surroundings::~Surroundings() {
  std::error_code ignored;
  fs::current_path(old_directory_, ignored);
  for (auto value = old_values_.rbegin(); value != old_values_.rend(); ++value) {
    if (value->second) {
      ::setenv(value->first.c_str(), value->second->c_str(), 1);
    } else {
      ::unsetenv(value->first.c_str());
    }
  }
}

void Surroundings::remember(const std::string& name) {
  const char* old = std::getenv(name.c_str());
  old_values_.emplace_back(name, old != nullptr ? std::optional<std::string>(old) : std::nullopt);
}

void Surroundings::set(const std::string& name, const std::string& value) {
  remember(name);
  ::setenv(name.c_str(), value.c_str(), 1);
}

void Surroundings::unset(const std::string& name) {
  remember(name);
  ::unsetenv(name.c_str());
}

ScratchDirectory::ScratchDirectory() {
  std::string name = (fs::temp_directory_path() / "slipway_vectors_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw BenchError("no temporary directory: " + name);
  // Plug-ins may resolve links in paths; the expected paths must be resolved in the same way.
  path_ = fs::canonical(name).string();
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string ScratchDirectory::make(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  fs::create_directories(path);
  return path;
}

template <class Use>
auto Bench::use_host(Use use) {
  try {
    return use(host());
  } catch (const Error& error) {
    // The rest of the message is the search path, here one directory.
    throw BenchError(plugins_ + ": " + error.message().substr(0, error.message().find('\n')));
  }
}

Runner& Bench::runner(const std::string& session) {
  std::unique_ptr<Runner>& runner = runners_[session];
  if (!runner) {
    RunnerOptions options;
    options.session = session;
    options.search.plugin_path = {plugins_};
    runner = std::make_unique<Runner>(std::move(options));
  }
  return *runner;
}

registry::PluginHost& Bench::host() { return runner("vectors").plugins(); }

registry::PluginScheduler Bench::scheduler(std::string_view name, std::string_view session) {
  return use_host([&](registry::PluginHost& host) { return host.scheduler(name, session); });
}

registry::PluginComponents Bench::components(std::string_view provider) {
  return use_host([&](registry::PluginHost& host) { return host.components(provider); });
}

}  // namespace slipway::vectors
