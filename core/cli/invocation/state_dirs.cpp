#include "core/cli/invocation/state_dirs.hpp"

#include "core/config/value_text.hpp"

namespace slipway::cli {

namespace {

using config::Setting;

bool is_state_dir(const Setting& setting) {
  return setting.key.section == config::Section::kScheduler &&
         setting.key.option == config::kStateDir;
}

bool is_usable(const Setting& setting) {
  return setting.defect.empty() && setting.value.type == spec::NodeType::kString &&
         !setting.value.text.empty() && setting.value.text.front() == '/';
}

}  // namespace

Dict<std::string> state_dirs(const config::Settings& settings) {
  Dict<std::string> out;
  for (const Setting& setting : settings.in_order()) {
    if (is_state_dir(setting) && is_usable(setting)) set(out, setting.key.name, setting.value.text);
  }
  return out;
}

void check_state_dirs(const config::Settings& settings, std::vector<spec::Problem>& problems) {
  for (const Setting& setting : settings.in_order()) {
    if (!is_state_dir(setting) || is_usable(setting)) continue;
    problems.push_back(problem_of(
        setting, !setting.defect.empty()
                     ? setting.defect
                     : "expected an absolute path, found " + config::toml_text(setting.value)));
  }
}

}  // namespace slipway::cli
