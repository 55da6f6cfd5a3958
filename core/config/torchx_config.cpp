#include "core/config/torchx_config.hpp"

#include <algorithm>
#include <utility>

namespace slipway::config {

namespace {

Setting setting_of(const IniFile& ini, const IniSection& section, const IniOption& option,
                   const std::string& file) {
  Setting out;
  out.key.option = option.name;
  out.notation = Notation::kTorchx;
  out.layer = Layer::kTorchx;
  out.where = {file, option.at.line, option.at.column};
  out.value.type = spec::NodeType::kString;
  out.value.at = option.at;
  try {
    out.value.text = interpolated(ini, section, option.value);
  } catch (const Error& error) {
    out.value.text = option.value;
    out.defect = error.message();
    if (!error.hint().empty()) out.defect += ", " + error.hint();
  }
  return out;
}

std::vector<Setting> settings_of(const IniFile& ini, const IniSection& section,
                                 const std::string& file) {
  std::vector<Setting> out;
  for (const IniOption& option : section.options)
    out.push_back(setting_of(ini, section, option, file));
  for (const IniOption& option : ini.defaults.options) {
    if (section.find(option.name) != nullptr) continue;
    out.push_back(setting_of(ini, section, option, file));
    out.back().shared = true;
  }
  return out;
}

/// Returns the setting `config` in [tracker:NAME] of each tracker that [torchx:tracker] names, with
/// an empty text for a tracker without a configuration.
std::vector<Setting> trackers(const IniFile& ini, const std::string& file) {
  std::vector<Setting> out;
  for (const IniSection& section : ini.sections) {
    if (section.name != "torchx:tracker") continue;
    for (const IniOption& name : section.options) {
      Setting setting = setting_of(ini, section, name, file);
      setting.value.text.clear();
      setting.defect.clear();
      for (const IniSection& other : ini.sections) {
        if (other.name != "tracker:" + name.name) continue;
        const IniOption* config = other.find("config");
        if (config == nullptr) config = ini.defaults.find("config");
        if (config != nullptr) setting = setting_of(ini, other, *config, file);
      }
      setting.key = {Section::kTracker, name.name, "config"};
      out.push_back(std::move(setting));
    }
  }
  return out;
}

}  // namespace

std::vector<PrefixedSection> prefixed_sections(const IniFile& ini, std::string_view prefix,
                                               const std::string& file) {
  std::vector<PrefixedSection> out;
  for (const IniSection& section : ini.sections) {
    const std::size_t colon = section.name.find(':');
    // [:NAME] has no prefix, not even the empty one.
    if (colon == std::string::npos || colon == 0 || colon + 1 == section.name.size() ||
        section.name.substr(0, colon) != prefix) {
      continue;
    }
    out.push_back({section.name.substr(colon + 1), settings_of(ini, section, file)});
  }
  return out;
}

std::vector<Setting> torchx_settings(const IniFile& ini, const std::string& file) {
  std::vector<Setting> out;
  const auto take = [&](Section section, const std::string& name, std::vector<Setting> settings) {
    for (Setting& setting : settings) {
      setting.key.section = section;
      setting.key.name = name;
      if (section == Section::kCli)
        std::replace(setting.key.option.begin(), setting.key.option.end(), '_', '-');
      out.push_back(std::move(setting));
    }
  };
  for (const IniSection& section : ini.sections) {
    if (section.name.find(':') == std::string::npos)
      take(Section::kScheduler, section.name, settings_of(ini, section, file));
  }
  for (PrefixedSection& section : prefixed_sections(ini, "component", file))
    take(Section::kComponent, section.name, std::move(section.options));
  for (PrefixedSection& section : prefixed_sections(ini, "cli", file))
    take(Section::kCli, section.name, std::move(section.options));
  for (Setting& tracker : trackers(ini, file)) out.push_back(std::move(tracker));
  return out;
}

}  // namespace slipway::config
