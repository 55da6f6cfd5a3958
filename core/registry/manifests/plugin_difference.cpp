#include "core/registry/manifests/plugin_difference.hpp"

#include <fmt/core.h>

#include <vector>

namespace slipway::registry {
namespace {

std::string names_text(const PluginEntry& plugin) {
  std::string out;
  for (const Provided& provided : plugin.provides) out += (out.empty() ? "" : ", ") + provided.name;
  return out.empty() ? "nothing" : out;
}

std::string config_text(const PluginEntry& plugin) {
  std::string out;
  spec::append_json(plugin.config, out);
  return out;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string difference_of(const PluginEntry& loser, const PluginEntry& winner) {
  const auto differ = [](const char* what, const std::string& mine, const std::string& other) {
    const auto said = [](const std::string& text) { return text.empty() ? "none" : text; };
    return mine == other ? std::string()
                         : fmt::format("{} {} and not {}", what, said(mine), said(other));
  };
  std::vector<std::string> differences = {
      differ("version", loser.version, winner.version),
      differ("library", file_name(loser.library), file_name(winner.library)),
      differ("sha256", loser.sha256, winner.sha256),
      differ("it provides", names_text(loser), names_text(winner)),
      differ("config", config_text(loser), config_text(winner))};
  if (!winner.enabled) differences = {loser.enabled ? "that one is disabled" : ""};
  std::string out;
  for (const std::string& each : differences) {
    if (!each.empty()) out += (out.empty() ? "" : "; ") + each;
  }
  return out;
}

}  // namespace slipway::registry
