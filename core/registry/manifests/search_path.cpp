#include "core/registry/manifests/search_path.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "sdk/support/absolute_path.hpp"

namespace slipway::registry {
namespace {

constexpr const char* kPathVariable = "SLIPWAY_PLUGIN_PATH";
constexpr const char* kElevated = "ignored: elevated privileges";

/// Returns the directory of an absolute path without a slash at its end, or "/".
std::string parent(const std::string& path) {
  return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}

/// Returns `name` in the directory of a path without a slash at its end.
std::string sibling(const std::string& path, const char* name) {
  return path.substr(0, path.rfind('/') + 1) + name;
}

/// Returns the absolute path in the form of normal_path(), without a slash at its end.
std::string absolute(std::string_view path) {
  std::error_code ignored;
  const std::filesystem::path given(path);
  const std::filesystem::path full = std::filesystem::absolute(given, ignored);
  std::string text = normal_path(full.empty() ? given : full).string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

const char* non_empty(const char* value) {
  return value != nullptr && *value != '\0' ? value : nullptr;
}

void add_flag(std::vector<SearchEntry>& entries, const SearchOptions& options) {
  for (const std::string& path : options.plugin_path) {
    if (!path.empty()) entries.push_back({absolute(path), Origin::kFlag});
  }
}

void add_environment(std::vector<SearchEntry>& entries, bool elevated) {
  if (elevated) {
    // Distinguishes "ignored" from "not set"; the value is not used.
    const bool is_set = non_empty(std::getenv(kPathVariable)) != nullptr;
    entries.push_back({kPathVariable, Origin::kEnv, is_set ? kElevated : "not set", false});
    return;
  }
  const char* value = non_empty(secure_getenv(kPathVariable));
  if (value == nullptr) {
    entries.push_back({kPathVariable, Origin::kEnv, "not set", false});
    return;
  }
  if (std::string_view(value).find_first_not_of(':') == std::string_view::npos) {
    entries.push_back({kPathVariable, Origin::kEnv, "not set: it contains no path", false});
    return;
  }
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string_view path = rest.substr(0, colon);
    // An empty piece would mean the working directory, which users rarely intend.
    if (!path.empty()) entries.push_back({absolute(path), Origin::kEnv});
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
}

void add_user(std::vector<SearchEntry>& entries, bool elevated) {
  constexpr const char* kUsualPath = "~/.config/slipway/plugins.d";  // for a place without a path
  if (elevated) {
    entries.push_back({kUsualPath, Origin::kUser, kElevated, false});
    return;
  }
  // The XDG specification says that relative paths are invalid and must be ignored.
  if (const char* xdg = non_empty(secure_getenv("XDG_CONFIG_HOME"));
      xdg != nullptr && *xdg == '/') {
    entries.push_back({absolute(std::string(xdg) + "/slipway/plugins.d"), Origin::kUser});
  } else if (const char* home = non_empty(secure_getenv("HOME")); home != nullptr && *home == '/') {
    entries.push_back({absolute(std::string(home) + "/.config/slipway/plugins.d"), Origin::kUser});
  } else {
    entries.push_back({kUsualPath, Origin::kUser,
                       "not set: neither XDG_CONFIG_HOME nor HOME is an absolute path", false});
  }
}

// Versions are installed side by side, as /opt/slipway/0.1.0 and /opt/slipway/0.2.0. The manifests
// for all of them are in /opt/slipway/etc.
void add_shared(std::vector<SearchEntry>& entries, const std::string& prefix) {
  if (prefix.empty() || prefix == "/") return;
  entries.push_back({sibling(prefix, "etc/slipway/plugins.d"), Origin::kShared});
}

const char* why_vendor_only(const SearchOptions& options, bool elevated) {
  if (options.no_plugins) return "ignored: --no-plugins";
  const char* value = elevated ? nullptr : secure_getenv("SLIPWAY_NO_PLUGINS");
  return value != nullptr && std::string_view(value) == "1" ? "ignored: SLIPWAY_NO_PLUGINS=1"
                                                            : nullptr;
}

}  // namespace

const char* to_string(Origin origin) {
  switch (origin) {
    case Origin::kFlag: return "flag";
    case Origin::kEnv: return "env";
    case Origin::kUser: return "user";
    case Origin::kSite: return "site";
    case Origin::kShared: return "shared";
    case Origin::kVendor: break;
  }
  return "vendor";
}

bool process_is_elevated() { return getauxval(AT_SECURE) != 0; }

std::string executable_prefix() {
  std::error_code error;
  const std::string executable = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return error ? std::string() : parent(parent(executable));
}

std::vector<SearchEntry> search_path(const SearchOptions& options) {
  const bool elevated = options.elevated.value_or(process_is_elevated());
  std::vector<SearchEntry> entries;
  add_flag(entries, options);
  add_environment(entries, elevated);
  add_user(entries, elevated);
  entries.push_back({options.site_dir, Origin::kSite});
  const std::string prefix =
      options.prefix.empty() ? executable_prefix() : absolute(options.prefix);
  add_shared(entries, prefix);
  if (const char* why = why_vendor_only(options, elevated)) {
    for (SearchEntry& entry : entries) {
      if (entry.usable) entry.state = why;
      entry.usable = false;
    }
  }
  if (!options.checked_manifest.empty())
    entries.insert(entries.begin(), {absolute(options.checked_manifest), Origin::kFlag});
  if (prefix.empty()) {
    entries.push_back({"<prefix>/share/slipway/plugins.d", Origin::kVendor,
                       "ignored: /proc/self/exe cannot be read", false});
  } else {
    entries.push_back(
        {prefix == "/" ? "/share/slipway/plugins.d" : prefix + "/share/slipway/plugins.d",
         Origin::kVendor});
  }
  return entries;
}

std::string resources_dir_of(const std::string& plugins_dir) {
  return sibling(plugins_dir, "resources.d");
}

}  // namespace slipway::registry
