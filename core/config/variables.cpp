#include "core/config/variables.hpp"

#include <utility>

namespace slipway::config {

std::vector<Setting> variable_settings(const Variables& variable) {
  const std::pair<const char*, SettingKey> table[] = {
      {"SLIPWAY_SCHEDULER", {Section::kCli, "run", "scheduler"}},
      {"SLIPWAY_SESSION", {Section::kCli, {}, "session"}},
      {"SLIPWAY_PROFILE", {Section::kCli, {}, "profile"}},
      {"SLIPWAY_LOG_LEVEL", {Section::kCli, {}, "log-level"}},
      {"SLIPWAY_CFG", {Section::kRunOptions, {}, {}}},
  };
  std::vector<Setting> out;
  for (const auto& [name, key] : table) {
    const char* value = variable(name);
    if (value == nullptr || *value == '\0') continue;
    Setting setting;
    setting.key = key;
    setting.value.type = spec::NodeType::kString;
    setting.value.text = value;
    setting.notation = Notation::kText;
    setting.layer = Layer::kVariable;
    setting.where.file = name;
    out.push_back(std::move(setting));
  }
  return out;
}

}  // namespace slipway::config
