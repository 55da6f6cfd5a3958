#include "core/spec/role_keys.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/spec/document.hpp"
#include "core/spec/duration.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/other_tools.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/python_numbers.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/signal_name.hpp"

namespace slipway::spec {
namespace {

// The largest values are those of sdk/docs/role_keys.md.
constexpr double kYearSeconds = 365 * kDaySeconds;

std::vector<std::string_view> known_role_keys() { return {kRoleKeys.begin(), kRoleKeys.end()}; }

const std::vector<std::string_view>& failure_words() {
  static const std::vector<std::string_view> kWords = {"oom", "lost", "timeout", "not_ready"};
  return kWords;
}

bool is_failure(std::string_view word) {
  const std::vector<std::string_view>& words = failure_words();
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  const auto code = plain_number<std::int32_t>(word);
  return code ? *code >= 1 && *code <= 255 : signal_number(word).has_value();
}

/// Checks the value of one key.
class KeyCheck {
 public:
  /// `places` are those of the value and its parts; null if the key is not in the role's own table.
  /// Then problems have the place of the role's metadata, `metadata_at`.
  KeyCheck(const TableMarks::Value* places, Mark metadata_at, const KeyPath& here,
           FieldReader& report)
      : places_(places), metadata_at_(metadata_at), here_(here), report_(report) {}

  void seconds(const Node& node, const KeyPath& path, Mark at, double most) {
    number(node, path, at, 0, most, " of seconds", hint_for_seconds(node));
  }

  void number(const Node& node, const KeyPath& path, Mark at, double least, double most,
              const char* unit = "", const std::string& hint = {}) {
    const bool is_integer = node.type == NodeType::kInt;
    if (!is_integer && node.type != NodeType::kFloat)
      return report_.wrong_type(placed(node, at), path, std::string("a number") + unit, hint);
    const double value = is_integer ? static_cast<double>(node.integer) : node.real;
    // This form also refuses NaN.
    if (value >= least && value <= most) return;
    report_.error(at, path,
                  "expected a number" + std::string(unit) + " from " + float_text(least) + " to " +
                      float_text(most) + ", found " + float_text(value),
                  {}, rule::kOutOfRange);
  }

  void boolean(const Node& node) {
    if (node.type != NodeType::kBool)
      report_.wrong_type(placed(node, top()), here_, "true or false");
  }

  void failures(const Node& node) {
    if (node.type != NodeType::kList)
      return report_.wrong_type(placed(node, top()), here_, "a list of failures", kFailures);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = node.items[i];
      const KeyPath path(here_, i);
      const std::string word =
          item.type == NodeType::kInt ? std::to_string(item.integer) : item.text;
      if (item.type != NodeType::kInt && item.type != NodeType::kString) {
        report_.wrong_type(placed(item, part(i)), path, "a failure", kFailures);
      } else if (!is_failure(word)) {
        const std::string near = did_you_mean(word, failure_words());
        report_.error(part(i), path, quoted(word) + " is not a kind of failure",
                      near.empty() ? kFailures : near);
      }
    }
  }

  void backoff(const Node& node) {
    static const std::vector<std::string_view> kParts = {"initial", "factor", "max", "jitter"};
    each_part(node, kParts, hint_for_backoff,
              [&](std::string_view key, const Node& value, const KeyPath& path, Mark at) {
                if (key == "factor") return number(value, path, at, 1, 1000);
                if (key == "jitter") return number(value, path, at, 0, 1);
                seconds(value, path, at, kYearSeconds);
              });
  }

  void directory(const Node& node) {
    if (node.type != NodeType::kString)
      return report_.wrong_type(placed(node, top()), here_, "a directory");
    if (node.text.empty()) report_.error(top(), here_, "the directory has an empty name");
    without_nul(node.text, here_, top());
  }

  void probe(const Node& node) {
    static const std::vector<std::string_view> kParts = {"tcp",      "command",   "log",
                                                         "within_s", "timeout_s", "interval_s"};
    int ways = 0;
    each_part(node, kParts, hint_for_probe,
              [&](std::string_view key, const Node& value, const KeyPath& path, Mark at) {
                const bool is_text = value.type == NodeType::kString;
                const bool is_list = value.type == NodeType::kList;
                if (key == "tcp") {
                  ++ways;
                  if (!is_text && value.type != NodeType::kInt)
                    report_.wrong_type(placed(value, at), path,
                                       "a port, the name of a port in port_map, or ADDRESS:PORT");
                } else if (key == "command") {
                  ++ways;
                  if (is_list && !value.items.empty()) {
                    words(value, path, at);
                  } else if (is_text) {
                    without_nul(value.text, path, at);
                  } else {
                    report_.wrong_type(placed(value, at), path,
                                       "a list of words or a line for /bin/sh");
                  }
                } else if (key == "log") {
                  ++ways;
                  if (!is_text) report_.wrong_type(placed(value, at), path, "a regular expression");
                } else {
                  seconds(value, path, at, kYearSeconds);
                }
              });
    if (node.type == NodeType::kTable && ways != 1)
      report_.error(top(), here_, "expected one of tcp, command and log, found " + found(ways),
                    "write { tcp = 8080 }");
  }

  void words(const Node& list, const KeyPath& path, Mark at) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Node& item = list.items[i];
      if (item.type != NodeType::kString)
        report_.wrong_type(placed(item, at), KeyPath(path, i), "a word");
      without_nul(item.text, KeyPath(path, i), at);
    }
  }

  /// Checks a text that becomes an argument of a system call or of a program.
  void without_nul(const std::string& text, const KeyPath& path, Mark at) {
    if (text.find('\0') != std::string::npos)
      report_.error(at, path, "contains a NUL character", {}, rule::kNulCharacter);
  }

  /// `own_name` is the name of the role whose `depends_on` is checked.
  void order(const Node& node, std::string_view own_name,
             const std::vector<std::string_view>& roles) {
    static const std::vector<std::string_view> kWords = {"started", "healthy", "succeeded"};
    const std::string hint = hint_for_order(node);
    if (node.type != NodeType::kTable)
      return report_.wrong_type(placed(node, top()), here_, "a table of roles", hint);
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const auto& [name, key_at, value] = node.entries[i];
      const KeyPath path(here_, std::string_view(name));
      const auto known = std::find(roles.begin(), roles.end(), name);
      if (known == roles.end()) {
        std::string near = did_you_mean(name, roles);
        if (near.empty()) near = "the app's roles are " + joined(roles);
        report_.error(part(i), path, "there is no role " + quoted(name), near);
      } else if (name == own_name) {
        report_.error(part(i), path, "the role waits for itself", "remove it");
      } else if (value.type != NodeType::kString) {
        report_.wrong_type(placed(value, part(i)), path, "one of " + joined(kWords), hint);
      } else if (std::find(kWords.begin(), kWords.end(), value.text) == kWords.end()) {
        const std::string near = did_you_mean(value.text, kWords);
        report_.error(part(i), path,
                      "expected one of " + joined(kWords) + ", found " + quoted(value.text),
                      near.empty() ? hint : near);
      }
    }
  }

  /// Returns the place of the value.
  Mark top() const { return places_ != nullptr ? places_->at : metadata_at_; }

 private:
  static constexpr const char* kFailures =
      "list exit codes (1 to 255), signals (SIGKILL), oom, lost, timeout, not_ready";

  /// Returns the node with the place `at`. The nodes come from JSON in the metadata, so their own
  /// places are not in the file.
  static Node placed(Node node, Mark at) {
    node.at = at;
    return node;
  }
  static std::string found(int ways) { return ways == 0 ? "none" : std::to_string(ways); }

  /// Returns the place of an item or entry of the value.
  Mark part(std::size_t index) const {
    return places_ != nullptr && index < places_->items.size() ? places_->items[index] : top();
  }

  /// Calls `check(key, value, path, place)` for each entry of a table with the keys `known`.
  /// `hint_for(node)` is the hint for a value that is not a table.
  template <class Check>
  void each_part(const Node& node, const std::vector<std::string_view>& known,
                 std::string (*hint_for)(const Node&), Check check) {
    if (node.type != NodeType::kTable)
      return report_.wrong_type(placed(node, top()), here_, "a table", hint_for(node));
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const NodeEntry& entry = node.entries[i];
      const KeyPath path(here_, entry.key);
      if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
        std::string hint = did_you_mean(entry.key, known);
        if (hint.empty()) hint = "it has " + joined(known);
        report_.error(part(i), path, "unknown key", std::move(hint), rule::kUnknownKey);
      } else {
        check(entry.key, entry.value, path, part(i));
      }
    }
  }

  const TableMarks::Value* places_;
  Mark metadata_at_;
  const KeyPath& here_;
  FieldReader& report_;
};

}  // namespace

void check_role_keys(const Role& role, const TableMarks* marks, const KeyPath& path,
                     const std::vector<std::string_view>& roles, FieldReader& report) {
  if (role.metadata_json.find(kRoleKeyPrefix) == std::string::npos) return;
  const Node metadata = parse_json(role.metadata_json, "metadata");
  for (const NodeEntry& entry : metadata.entries) {
    const std::string_view name = role_key_in(entry.key);
    if (name.empty()) continue;
    const TableMarks::Value* places = marks != nullptr ? marks->find(name) : nullptr;
    const KeyPath outer(path, std::string_view("metadata"));
    // The key as the user wrote it: `timeout_s`, or `slipway.timeout_s` in the metadata. An app
    // without a file does not show which form was written, so its problems have the plain key.
    const KeyPath here =
        places != nullptr || marks == nullptr ? KeyPath(path, name) : KeyPath(outer, entry.key);
    KeyCheck check(places, marks != nullptr ? marks->at("metadata") : Mark{}, here, report);
    const Node& value = entry.value;
    if (name == "service") {
      check.boolean(value);
    } else if (name == "timeout_s") {
      check.seconds(value, here, check.top(), kYearSeconds);
    } else if (name == "grace_s") {
      check.seconds(value, here, check.top(), kWeekSeconds);
    } else if (name == "retry_on") {
      check.failures(value);
    } else if (name == "backoff") {
      check.backoff(value);
    } else if (name == "cwd") {
      check.directory(value);
    } else if (name == "ready") {
      check.probe(value);
    } else if (name == "depends_on") {
      check.order(value, role.name, roles);
    } else {
      report.error(check.top(), here, "unknown key", did_you_mean(name, known_role_keys()),
                   rule::kUnknownKey);
    }
  }
}

}  // namespace slipway::spec
