#include "core/config/sources.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>

#include "sdk/support/absolute_path.hpp"

namespace slipway::config {

namespace {

namespace fs = std::filesystem;

std::string value_of(const Places& places, const char* name) {
  const char* value = places.elevated ? nullptr : places.variable(name);
  return value != nullptr ? value : std::string();
}

fs::path directory_of(const Places& places) {
  if (!places.working_directory.empty()) return places.working_directory;
  std::error_code error;  // for example if the directory was deleted; the path is then empty
  return fs::current_path(error);
}

std::string absolute(const fs::path& directory, const std::string& path) {
  return normal_path(directory / path).string();
}

/// Returns whether the path exists. A link counts even if its target cannot be reached: load() then
/// determines its state.
bool is_there(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0;
}

// Returns the path of the user's file, or an empty text. Ignores relative paths in variables, as
// the XDG specification demands.
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
  // Splits the text, because splitting an fs::path takes ten times as long.
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
    case SourceState::kUnread:  // does not occur after load()
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
  const auto add_named = [&](Layer layer, const std::string& path, const char* asked_by) {
    if (!path.empty())
      out.push_back({layer, absolute(directory, path), asked_by, SourceState::kUnread, {}});
  };
  const auto add_possible = [&](Layer layer, const std::string& path) {
    if (!path.empty()) out.push_back({layer, path, {}, SourceState::kUnread, {}});
  };
  add_named(Layer::kFlagFile, places.flag_file, "--config");
  if (!places.elevated) {
    add_named(Layer::kVariableFile, value_of(places, "SLIPWAY_CONFIG"), "SLIPWAY_CONFIG");
    for (const std::string& path : project_files(directory.string()))
      add_possible(Layer::kProject, path);
    if (const std::string named = value_of(places, "TORCHXCONFIG"); !named.empty()) {
      add_named(Layer::kTorchx, named, "TORCHXCONFIG");
    } else {
      const std::string home = value_of(places, "HOME");
      std::string in_home;
      if (!home.empty() && home.front() == '/') in_home = absolute(home, ".torchxconfig");
      // The home directory comes first, because TorchX lets its file win.
      add_possible(Layer::kTorchx, in_home);
      const std::string here =
          directory.empty() ? std::string() : (directory / ".torchxconfig").string();
      const bool is_at_home = here == in_home;
      if (!is_at_home) add_possible(Layer::kTorchx, here);
    }
    add_possible(Layer::kUser, user_file(places));
  }
  add_possible(Layer::kSite, places.site_file);
  return out;
}

}  // namespace slipway::config
