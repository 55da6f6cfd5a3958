#include "core/config/setting.hpp"

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
