#include "core/config/sources.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>

namespace slipway::config {

namespace {

namespace fs = std::filesystem;

std::string value_of(const Places& places, const char* name) {
  const char* value = places.elevated ? nullptr : places.variable(name);
  return value != nullptr ? value : std::string();
}

fs::path directory_of(const Places& places) {
  if (!places.working_directory.empty()) return places.working_directory;
  std::error_code gone;
  return fs::current_path(gone);
}

std::string absolute(const fs::path& directory, const std::string& path) {
  return (directory / path).lexically_normal().string();
}

/// Returns whether the name exists, also for a broken link, which another user may own.
bool is_there(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0;
}

// Returns nullptr for a relative path, which the XDG specification says must be ignored.
std::string user_file(const Places& places) {
  const std::string xdg = value_of(places, "XDG_CONFIG_HOME");
  if (!xdg.empty() && xdg.front() == '/') return xdg + "/slipway/config.toml";
  const std::string home = value_of(places, "HOME");
  if (!home.empty() && home.front() == '/') return home + "/.config/slipway/config.toml";
  return {};
}

/// Returns every `slipway.toml` from `directory` upwards, nearest first; if there is none, the
/// place of the nearest.
std::vector<std::string> project_files(const std::string& directory) {
  std::vector<std::string> out;
  if (directory.empty()) return out;
  // Not fs::path, which takes ten times as long to cut up.
  const std::string full = directory.back() == '/' ? directory : directory + '/';
  for (std::size_t end = full.size(); end > 0; end = end > 1 ? full.rfind('/', end - 2) + 1 : 0) {
    std::string file = full.substr(0, end) + "slipway.toml";
    if (is_there(file)) out.push_back(std::move(file));
  }
  if (out.empty()) out.push_back(full + "slipway.toml");
  return out;
}

}  // namespace

Variables process_variables() {
  return [](const char* name) -> const char* { return ::secure_getenv(name); };
}

const char* to_string(SourceState state) {
  switch (state) {
    case SourceState::kUnread:
    case SourceState::kRead: return "found";
    case SourceState::kIgnored: return "ignored";
    case SourceState::kBroken: return "error";
    case SourceState::kMissing: break;
  }
  return "does not exist";
}

std::vector<Source> sources(const Places& places) {
  std::vector<Source> out;
  const fs::path directory = directory_of(places);
  const auto ask = [&](Layer layer, const std::string& path, const char* by) {
    if (!path.empty())
      out.push_back({layer, absolute(directory, path), by, SourceState::kUnread, {}});
  };
  const auto look = [&](Layer layer, const std::string& path) {
    if (!path.empty()) out.push_back({layer, path, {}, SourceState::kUnread, {}});
  };
  ask(Layer::kFlagFile, places.flag_file, "--config");
  if (!places.elevated) {
    ask(Layer::kVariableFile, value_of(places, "SLIPWAY_CONFIG"), "SLIPWAY_CONFIG");
    for (const std::string& path : project_files(directory.string())) look(Layer::kProject, path);
    if (const std::string named = value_of(places, "TORCHXCONFIG"); !named.empty()) {
      ask(Layer::kTorchx, named, "TORCHXCONFIG");
    } else {
      const std::string home = value_of(places, "HOME");
      std::string in_home;
      if (!home.empty() && home.front() == '/') in_home = absolute(home, ".torchxconfig");
      look(Layer::kTorchx, in_home);
      // the working directory may be the home directory
      const std::string here =
          directory.empty() ? std::string() : (directory / ".torchxconfig").string();
      if (here != in_home) look(Layer::kTorchx, here);
    }
    look(Layer::kUser, user_file(places));
  }
  look(Layer::kSite, places.site_file);
  return out;
}

}  // namespace slipway::config
