#include "sdk/check/subject.hpp"

#include <filesystem>
#include <sstream>
#include <utility>

#include "sdk/check/toml.hpp"
#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/workspace.h"

namespace slipway::check {

namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, const char*> kGroups[] = {
    {"schedulers", SLIPWAY_KIND_SCHEDULER},
    {"image_providers", SLIPWAY_KIND_IMAGE_PROVIDER},
    {"named_resources", SLIPWAY_KIND_NAMED_RESOURCES},
    {"components", SLIPWAY_KIND_COMPONENT},
    {"workspaces", SLIPWAY_KIND_WORKSPACE},
};

#if defined(__x86_64__)
constexpr const char* kPlatform = "linux_amd64";
#else
constexpr const char* kPlatform = "linux_arm64";
#endif

// Returns the provider's own name: a text, or `entry` of a table with the name for users.
std::string entry_of(const toml::node& node) {
  if (const auto name = node.value<std::string>()) return *name;
  const toml::table* table = node.as_table();
  if (table == nullptr) return {};
  return (*table)["entry"].value_or((*table)["name"].value_or(std::string()));
}

Subject read_manifest(const fs::path& path) {
  toml::table root;
  try {
    root = toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    throw NoSubject(path.string() + ":" + std::to_string(error.source().begin.line) + ": " +
                    std::string(error.description()));
  }
  const toml::array* plugins = root["plugin"].as_array();
  if (plugins == nullptr || plugins->size() != 1 || !plugins->front().is_table())
    throw NoSubject(path.string() + ": not a manifest of one [[plugin]]; give its library instead");
  const toml::table& plugin = *plugins->front().as_table();
  const toml::node_view library =
      plugin["library"].is_table() ? plugin["library"][kPlatform] : plugin["library"];
  const auto file = library.value<std::string>();
  if (!file) throw NoSubject(path.string() + ": it names no library for this machine");

  Subject out;
  out.library = (path.parent_path() / *file).lexically_normal().string();
  ManifestFacts facts;
  facts.path = path.string();
  facts.id = plugin["id"].value_or(std::string());
  facts.version = plugin["version"].value_or(std::string());
  for (const auto& [group, kind] : kGroups) {
    const toml::array* names = plugin["provides"][group].as_array();
    if (names == nullptr) continue;
    for (const toml::node& name : *names) facts.promises.push_back({kind, entry_of(name)});
  }
  out.manifest = std::move(facts);
  if (const toml::table* config = plugin["config"].as_table()) {
    std::ostringstream json;
    json << toml::json_formatter(*config);
    out.config_json = json.str();
  }
  return out;
}

}  // namespace

Subject find_subject(const std::string& target) {
  const fs::path path = fs::absolute(target).lexically_normal();
  std::error_code error;
  Subject out;
  if (path.extension() == ".toml" && fs::is_regular_file(path, error)) {
    out = read_manifest(path);
  } else {
    out.library = path.string();
  }
  if (!fs::exists(out.library, error))
    throw NoSubject(out.library + " does not exist; build the plug-in first");
  if (!fs::is_regular_file(out.library, error))
    throw NoSubject(out.library + " is not a regular file; give the library or the manifest");
  return out;
}

}  // namespace slipway::check
