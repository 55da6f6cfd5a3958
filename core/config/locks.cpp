#include "core/config/locks.hpp"

#include <cstddef>
#include <utility>

#include "core/config/run_option_settings.hpp"
#include "core/spec/secret_names.hpp"
#include "core/spec/toml_text.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::config {

namespace {

/// Returns the value as a text, because a flag, a variable and a .torchxconfig have only texts.
std::string text_of(const spec::Node& value) {
  if (value.type == spec::NodeType::kString) return value.text;
  std::string out;
  spec::append_json(value, out);
  return out;
}

/// Returns whether the values are equal, also in another spelling: 30 and 30.0, true and yes.
bool is_same(const spec::Node& locked, const spec::Node& other) {
  const std::string wanted = text_of(locked);
  const std::string found = text_of(other);
  if (wanted == found) return true;
  if (locked.type == spec::NodeType::kBool)
    return other.type == spec::NodeType::kString && torchx_bool(found) == torchx_bool(wanted);
  if (locked.type != spec::NodeType::kInt && locked.type != spec::NodeType::kFloat) return false;
  const auto number = plain_number<double>(wanted);
  return number && plain_number<double>(found) == number;
}

/// Returns whether the site's value forbids the other one.
bool forbids(const Setting& locked, const Setting& other) {
  if (exclude_each_other(locked, other)) return true;
  return same_setting(locked.key, other.key) && !is_same(locked.value, other.value);
}

}  // namespace

spec::Problem locked_problem(const Setting& locked, const spec::Position& where) {
  spec::Node value = locked.value;
  const bool is_secret = spec::redact_secrets(value, locked.key.option);
  return {spec::Severity::kError,
          where,
          to_string(locked.key),
          "the site allows only " + (is_secret ? "its own value" : spec::toml_text(value)) +
              ", as " + spec::to_string(locked.where) + " says",
          "remove this setting, or ask the site's administrator",
          Code::kConfig};
}

bool same_setting(const SettingKey& one, const SettingKey& other) {
  if (one == other) return true;
  return one.section == Section::kScheduler && other.section == Section::kScheduler &&
         one.option == other.option &&
         (one.name == kEveryScheduler || other.name == kEveryScheduler);
}

void apply_locks(std::vector<Setting>& settings, std::vector<spec::Problem>& problems) {
  std::vector<bool> refused(settings.size(), false);
  for (const Setting& locked : settings) {
    if (!locked.locked) continue;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const Setting& other = settings[i];
      if (other.locked || !forbids(locked, other)) continue;
      if (!refused[i]) problems.push_back(locked_problem(locked, other.where));
      refused[i] = true;
    }
  }
  std::size_t at = 0;
  std::erase_if(settings, [&](const Setting&) { return refused[at++]; });
}

}  // namespace slipway::config
