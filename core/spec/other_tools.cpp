#include "core/spec/other_tools.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/spec/duration.hpp"
#include "core/spec/known_keys.hpp"
#include "core/spec/toml_text.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/python_numbers.hpp"
#include "sdk/support/role_keys.hpp"
#include "slipway/json_text.hpp"

namespace slipway::spec {
namespace {

using Hint = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kReplicas = "write num_replicas";
constexpr std::string_view kWorkingDirectory = "write cwd";
constexpr std::string_view kVariables = "write env = { NAME = \"value\" }";
constexpr std::string_view kRetries = "write max_retries; retry_policy chooses what restarts";
constexpr std::string_view kPorts = "write port_map = { http = 8080 }";
constexpr std::string_view kMounts = "write mounts = [\"type=bind,src=…,dst=…\"]";
constexpr std::string_view kProbe =
    "write ready = { tcp = 8080 }; command and log are the other kinds";
constexpr std::string_view kOrder = "write depends_on = ";  // a table follows
constexpr std::string_view kTimeLimit = "write timeout_s";  // seconds follow
constexpr std::string_view kGraceTime = "write grace_s";
constexpr std::string_view kSize = "write resource = { cpu = 8, gpu = 1, mem = \"32GiB\" }";

constexpr double kMaxHintedNumber = 1e12;  // fits into a long

// The keys are in lower case, without `-` and `_` (folded()).
constexpr std::array kRoleHints = {
    Hint{"replicas", kReplicas},
    Hint{"instances", kReplicas},
    Hint{"scale", kReplicas},
    Hint{"count", kReplicas},
    Hint{"ntasks", kReplicas},
    Hint{"nnodes", kReplicas},
    Hint{"workingdir", kWorkingDirectory},
    Hint{"workingdirectory", kWorkingDirectory},
    Hint{"workdir", kWorkingDirectory},
    Hint{"chdir", kWorkingDirectory},
    Hint{"environment", kVariables},
    Hint{"envvars", kVariables},
    Hint{"restart", kRetries},
    Hint{"restartpolicy", kRetries},
    Hint{"availability", kRetries},
    Hint{"backofflimit", kRetries},
    Hint{"retries", kRetries},
    Hint{"ports", kPorts},
    Hint{"expose", kPorts},
    Hint{"containerport", kPorts},
    Hint{"volumes", kMounts},
    Hint{"volumemounts", kMounts},
    Hint{"healthcheck", kProbe},
    Hint{"readinessprobe", kProbe},
    Hint{"livenessprobe", kProbe},
    Hint{"dependson", kOrder},
    Hint{"needs", kOrder},
    Hint{"after", kOrder},
    Hint{"timeout", kTimeLimit},
    Hint{"timelimit", kTimeLimit},
    Hint{"activedeadlineseconds", kTimeLimit},
    Hint{"stopgraceperiod", kGraceTime},
    Hint{"terminationgraceperiodseconds", kGraceTime},
    Hint{"grace", kGraceTime},
    Hint{"resources", kSize},
    Hint{"cpus", kSize},
    Hint{"cpu", kSize},
    Hint{"gpus", kSize},
    Hint{"gpu", kSize},
    Hint{"memory", kSize},
    Hint{"mem", kSize},
    Hint{"memlimit", kSize},
    Hint{"container", "write image"},
    Hint{"containerimage", "write image"},
};

constexpr std::array<std::string_view, 5> kCommands = {"command", "cmd", "run", "exec", "program"};
constexpr std::array<std::string_view, 5> kRoles = {"services", "processes", "containers", "jobs",
                                                    "tasks"};

std::string folded(std::string_view key) {
  std::string out = lower_case(std::string(key));
  std::erase_if(out, [](char c) { return c == '-' || c == '_'; });
  return out;
}

Node string_node(std::string_view text) {
  Node out;
  out.type = NodeType::kString;
  out.text = text;
  return out;
}

bool contains(const auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the words of a list of strings, or of a line that a shell would only divide at its
/// blanks; empty for other values.
std::vector<std::string> words_of(const Node& value) {
  std::vector<std::string> out;
  if (value.type == NodeType::kList) {
    for (const Node& item : value.items) {
      if (item.type != NodeType::kString) return {};
      out.push_back(item.text);
    }
  } else if (value.type == NodeType::kString &&
             value.text.find_first_of("'\"\\$`&|;<>()*?[{~#!\n") == std::string::npos) {
    for (std::size_t at = 0; (at = value.text.find_first_not_of(" \t", at)) != std::string::npos;) {
      const std::size_t end = std::min(value.text.find_first_of(" \t", at), value.text.size());
      out.push_back(value.text.substr(at, end - at));
      at = end;
    }
    // `NAME=value program` sets a variable.
    if (!out.empty() && out.front().find('=') != std::string::npos) return {};
  }
  return out;
}

std::string command_hint(const Node& value) {
  const std::vector<std::string> words = words_of(value);
  const bool is_line = value.type == NodeType::kString;
  if (words.empty() && !is_line) return "write entrypoint and args";
  if (words.empty()) return "write entrypoint = \"sh\", args = [\"-c\", \"…\"] for a line of shell";
  Node args;
  args.type = NodeType::kList;
  for (std::size_t i = 1; i < words.size(); ++i) {
    args.items.emplace_back().type = NodeType::kString;
    args.items.back().text = words[i];
  }
  Node program;
  program.type = NodeType::kString;
  program.text = words.front();
  std::string out = "write entrypoint = " + toml_text(program);
  return args.items.empty() ? out : out + ", args = " + toml_text(args);
}

/// Returns the seconds of `300`, `"300"` or `"5m"` as TOML; empty for other values.
std::string seconds_in(const Node& value) {
  if (value.type == NodeType::kInt || value.type == NodeType::kFloat) return toml_text(value);
  if (value.type != NodeType::kString) return {};
  std::string_view rest = value.text;
  const std::optional<double> number = take_number(rest);
  const std::optional<double> seconds =
      number && rest.empty() ? number : duration_seconds(value.text);
  if (!seconds || *seconds > kMaxHintedNumber) return {};
  const bool is_whole = *seconds == std::floor(*seconds);
  return is_whole ? std::to_string(static_cast<long>(*seconds)) : float_text(*seconds);
}

/// Returns the MiB of a size such as `4G`, `4GB` or `4 GiB`, whose unit counts as binary; nullopt
/// for other texts.
std::optional<double> mebibytes_in(std::string_view text) {
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  std::string unit =
      lower_case(std::string(text.substr(std::min(text.find_first_not_of(' '), text.size()))));
  const char first = unit.empty() ? '\0' : unit.front();
  if (unit.size() > 1 && unit != std::string(1, first) + "b" &&
      unit != std::string(1, first) + "ib")
    return std::nullopt;
  switch (first) {
    case 'k': return *number / 1024;
    case 'm': return *number;
    case 'g': return *number * 1024;
    case 't': return *number * 1024 * 1024;
    default: return std::nullopt;
  }
}

/// Returns the word for a condition of docker-compose or process-compose; "started" for others.
std::string_view condition_in(const Node& value) {
  if (value.type == NodeType::kTable) {
    for (const NodeEntry& entry : value.entries)
      if (entry.key == "condition") return condition_in(entry.value);
  }
  if (value.text.ends_with("_healthy") || value.text == "healthy") return "healthy";
  const bool is_end = value.text.find("_completed") != std::string::npos;
  return is_end || value.text == "succeeded" ? "succeeded" : "started";
}

/// Returns the table to write for a list of roles, a single role, or a table with conditions of
/// other tools. If the value names no role, the table has an example.
std::string order_table(const Node& value) {
  std::string inside;
  const auto add = [&](const std::string& role, std::string_view condition) {
    inside += (inside.empty() ? "" : ", ") + toml_key(role) + " = " + json_quote(condition);
  };
  if (value.type == NodeType::kString) add(value.text, "started");
  for (const Node& item : value.items)
    if (item.type == NodeType::kString) add(item.text, "started");
  for (const NodeEntry& entry : value.entries) add(entry.key, condition_in(entry.value));
  if (inside.empty()) add("OTHER_ROLE", "started");
  return toml_braces(inside);
}

}  // namespace

std::string hint_for_role_key(std::string_view key, const Node& value) {
  const std::string word = folded(key);
  if (contains(kCommands, word)) return command_hint(value);
  const auto hint = std::find_if(kRoleHints.begin(), kRoleHints.end(),
                                 [&](const Hint& each) { return each.first == word; });
  if (hint == kRoleHints.end()) return {};
  std::string out(hint->second);
  if (hint->second == kOrder) return out + order_table(value);
  if (hint->second != kTimeLimit && hint->second != kGraceTime) return out;
  const std::string seconds = seconds_in(value);
  return out + (seconds.empty() ? ", in seconds" : " = " + seconds);
}

std::string hint_for_seconds(const Node& value) {
  if (value.type != NodeType::kString) return {};
  const std::string seconds = seconds_in(value);
  return "write " + (seconds.empty() ? "seconds, such as 30" : seconds);
}

std::string hint_for_number(std::string_view name, std::string_view text) {
  if (name.ends_with("_s")) return hint_for_seconds(string_node(text));
  const bool is_in_mib = name == "memMB" || name.ends_with("_mb");
  const std::optional<double> mib = mebibytes_in(text);
  if (!mib || (!is_in_mib && !name.ends_with("_gb"))) return {};
  const double number = is_in_mib ? *mib : *mib / 1024;
  if (number != std::floor(number) || number > kMaxHintedNumber) return {};
  return "write " + std::to_string(static_cast<long>(number));
}

std::string hint_for_duration(std::string_view text) {
  return duration_seconds(text) ? hint_for_seconds(string_node(text)) : std::string();
}

std::string hint_for_backoff(const Node& value) {
  const std::string seconds = seconds_in(value);
  if (seconds.empty()) return "write { initial = 10, max = 600 }";
  return "write { initial = " + seconds + ", max = " + seconds + " } for a constant pause";
}

std::string hint_for_probe(const Node& value) {
  if (value.type == NodeType::kInt) return "write { tcp = " + toml_text(value) + " }";
  if (value.type == NodeType::kString) return "write { command = " + toml_text(value) + " }";
  return "write { tcp = 8080 }";
}

std::string hint_for_order(const Node& value) {
  return "write " + order_table(value) + "; the words are started, healthy and succeeded";
}

std::string hint_for_app_key(std::string_view key, const Node& value) {
  const std::string word = folded(key);
  if (contains(kRoles, word)) return "write [[roles]], once for each program";
  if (word == "sweep") return "a sweep belongs to a component: [component.NAME.sweep]";
  if (contains(known_keys<Role>(), key)) return "it belongs to a role: write it below [[roles]]";
  const std::string hint = hint_for_role_key(key, value);
  return hint.empty() ? "" : "it belongs to a role: below [[roles]], " + hint;
}

std::string hint_for_roles_table(const Node& table) {
  // If every value is a table, the keys are names of roles. A key `env` shows that the table is one
  // role instead.
  const bool has_names =
      !table.entries.empty() &&
      std::all_of(table.entries.begin(), table.entries.end(), [](const auto& one) {
        return one.value.type == NodeType::kTable && one.key != "env";
      });
  if (!has_names) return "write [[roles]], with two brackets on each side";
  return "write [[roles]] and name = " + json_quote(table.entries.front().key);
}

}  // namespace slipway::spec
