#include "core/config/setting.hpp"

#include <algorithm>
#include <utility>

namespace slipway::config {

namespace {

// Returns the first part of a key. For kRunOptions it is `cfg`, which names no table of a file.
const char* name_of(Section section) {
  switch (section) {
    case Section::kScheduler: return "scheduler";
    case Section::kComponent: return "component";
    case Section::kPlugin: return "plugins";
    case Section::kTracker: return "tracker";
    case Section::kRunOptions: return "cfg";
    case Section::kCli: break;
  }
  return "cli";
}

}  // namespace

const char* to_string(Layer layer) {
  switch (layer) {
    case Layer::kSite: return "site";
    case Layer::kUser: return "user";
    case Layer::kTorchx: return "torchx";
    case Layer::kProject: return "project";
    case Layer::kApp: return "app";
    case Layer::kVariableFile: return "env_file";
    case Layer::kFlagFile: return "flag_file";
    case Layer::kVariable: return "env";
    case Layer::kFlag: return "flag";
    case Layer::kDefault: break;
  }
  return "default";
}

std::string to_string(const SettingKey& key) {
  std::string out = name_of(key.section);
  for (const std::string& part : {key.name, key.option}) {
    if (!part.empty()) out += "." + part;
  }
  return out;
}

spec::Node plugin_config_of(const Setting& setting) {
  spec::Node out = setting.value;
  for (auto key = setting.config_path.rbegin(); key != setting.config_path.rend(); ++key) {
    spec::Node table;
    table.type = spec::NodeType::kTable;
    table.entries.push_back({*key, setting.value.at, std::move(out)});
    out = std::move(table);
  }
  return out;
}

bool exclude_each_other(const Setting& one, const Setting& other) {
  if (one.key.section != Section::kPlugin || other.key.section != Section::kPlugin ||
      one.key.name != other.key.name || one.config_path.size() == other.config_path.size()) {
    return false;
  }
  const bool one_is_outer = one.config_path.size() < other.config_path.size();
  const Setting& outer = one_is_outer ? one : other;
  const std::vector<std::string>& inner = (one_is_outer ? other : one).config_path;
  // The only tables among the values are empty ones, which have room for other keys.
  return outer.value.type != spec::NodeType::kTable && !outer.config_path.empty() &&
         std::equal(outer.config_path.begin(), outer.config_path.end(), inner.begin());
}

spec::Problem problem_of(const Setting& setting, std::string message, std::string hint,
                         spec::Severity severity) {
  if (setting.layer == Layer::kApp) {
    return {severity,
            setting.where,
            "options." + setting.key.name + "." + setting.key.option,
            std::move(message),
            std::move(hint),
            Code::kInvalid};
  }
  std::string key = to_string(setting.key);
  if (!setting.profile.empty()) key = "profile." + setting.profile + "." + key;
  return {severity,           setting.where,   std::move(key),
          std::move(message), std::move(hint), Code::kConfig};
}

}  // namespace slipway::config
