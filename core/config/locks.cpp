#include "core/config/locks.hpp"

#include <cstddef>
#include <utility>

#include "core/config/run_option_settings.hpp"
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

/// Returns whether the values differ. With `by_key`, tables differ only in the keys of `locked`
/// that both have.
bool differs(const spec::Node& locked, const spec::Node& other, bool by_key) {
  const bool tables = locked.type == spec::NodeType::kTable && other.type == spec::NodeType::kTable;
  if (!by_key || !tables) return !is_same(locked, other);
  for (const spec::NodeEntry& entry : locked.entries) {
    const spec::Node* same = other.find(entry.key);
    if (same != nullptr && differs(entry.value, *same, by_key)) return true;
  }
  return false;
}

}  // namespace

spec::Problem locked_problem(const Setting& locked, const spec::Position& where) {
  return {spec::Severity::kError,
          where,
          to_string(locked.key),
          "the site allows only " + spec::toml_text(locked.value) + ", as " +
              spec::to_string(locked.where) + " says",
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
      if (other.locked || !same_setting(locked.key, other.key)) continue;
      if (!differs(locked.value, other.value, other.key.section == Section::kPlugin)) continue;
      if (!refused[i]) problems.push_back(locked_problem(locked, other.where));
      // Keeps the other keys of a plug-in's configuration; plugin_settings() of core/cli replaces
      // the locked ones.
      refused[i] = other.key.section != Section::kPlugin;
    }
  }
  std::size_t at = 0;
  std::erase_if(settings, [&](const Setting&) { return refused[at++]; });
}

}  // namespace slipway::config
