#include "core/config/locks.hpp"

#include <utility>

#include "core/config/value_text.hpp"

namespace slipway::config {

namespace {

// A value of a file and the same one as a text of a flag or variable are one.
std::string text_of(const spec::Node& value) {
  if (value.type == spec::NodeType::kString) return value.text;
  std::string out;
  spec::append_json(value, out);
  return out;
}

bool differs(const spec::Node& locked, const spec::Node& other, bool by_key) {
  const bool tables = locked.type == spec::NodeType::kTable && other.type == spec::NodeType::kTable;
  if (!by_key || !tables) return text_of(locked) != text_of(other);
  for (const spec::NodeEntry& entry : locked.entries) {
    const spec::Node* same = other.find(entry.key);
    if (same != nullptr && differs(entry.value, *same, true)) return true;
  }
  return false;
}

}  // namespace

spec::Problem locked_problem(const Setting& locked, const spec::Position& where) {
  return {spec::Severity::kError,
          where,
          to_string(locked.key),
          "the site allows " + toml_text(locked.value) + " alone, as " +
              spec::to_string(locked.where) + " says",
          "take this setting out, or ask who looks after the site",
          Code::kConfig};
}

void check_locks(const std::vector<Setting>& settings, std::vector<spec::Problem>& problems) {
  for (const Setting& locked : settings) {
    if (!locked.locked) continue;
    for (const Setting& other : settings) {
      if (other.locked || !(other.key == locked.key)) continue;
      if (differs(locked.value, other.value, other.key.section == Section::kPlugin))
        problems.push_back(locked_problem(locked, other.where));
    }
  }
}

}  // namespace slipway::config
