#include "plugins/local/scheduler/record_details.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/scheduler/waiting.hpp"
#include "sdk/support/ascii_json.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/python_numbers.hpp"
#include "slipway/json_text.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

namespace {

constexpr std::size_t kLargestErrorFile = 1u << 20;  // bytes

/// Returns a JSON number as Python writes it. Integers keep their digits.
std::string python_number(std::string_view token) {
  if (token == "-0") return "0";
  if (token.find_first_of(".eE") == std::string_view::npos) return std::string(token);
  const double value = real_from(token).value_or(0);
  return std::isinf(value) ? value < 0 ? "-Infinity" : "Infinity" : float_text(value);
}

/// Replaces the escapes of surrogates by escapes of other characters. Boost.JSON refuses a lone
/// surrogate. Python does not, and writes one for each byte of a path that is not UTF-8.
std::string without_surrogates(std::string json) {
  for (std::size_t i = json.find('\\'); i < json.size(); i = json.find('\\', i + 2)) {
    if (json.compare(i, 3, "\\ud") == 0 || json.compare(i, 3, "\\uD") == 0) json[i + 2] = '0';
  }
  return json;
}

/// Returns one JSON document with ", " and ": " between its parts and everything outside ASCII
/// escaped; empty if `text` is not JSON, or nested too deep for parse_deep_json().
std::string python_json(const std::string& text) {
  boost::system::error_code error;
  const boost::json::value parsed = parse_deep_json(without_surrogates(text), error);
  if (error) return {};
  // Token by token, so that no number passes through a type that cannot represent it.
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t end = detail::json_string_end(text, i);
      if (end == std::string::npos) return {};
      // A string with a lone surrogate has no plain text.
      const auto plain = json_unquote(std::string_view(text).substr(i, end - i));
      out += ascii_json(plain ? json_quote(*plain) : text.substr(i, end - i));
      i = end;
      continue;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
      const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE", i), text.size());
      out += python_number(std::string_view(text).substr(i, end - i));
      i = end;
      continue;
    }
    if (c == ',') {
      out += ", ";
    } else if (c == ':') {
      out += ": ";
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      out.push_back(c);
    }
    ++i;
  }
  return out;
}

/// Returns the path in the replica's TORCHELASTIC_ERROR_FILE; empty if the plan does not have the
/// replica, or a patch of the request removed the variable.
std::string error_file_path(const LaunchPlan& plan, const std::string& role, std::int32_t replica) {
  for (const LaunchGroup& group : plan.groups) {
    if (group.role != role || replica < group.first_replica ||
        replica >= group.first_replica + group.count)
      continue;
    for (const auto& [key, value] : group.env) {
      if (key != "TORCHELASTIC_ERROR_FILE") continue;
      const std::string path = group.expand_macros
                                   ? substitute_macros(value, macro_values(plan, group, replica))
                                   : value;
      return !path.empty() && path.front() == '/' ? path : group.cwd + "/" + path;
    }
  }
  return {};
}

/// Returns the app's launch plan; nullopt if it cannot be read.
std::optional<LaunchPlan> read_plan(const AppRef& ref) {
  const AppDir dir = open_app_dir_to_read(ref);
  std::string bytes;
  if (dir.get() < 0 || !read_file(dir.get(), kPlanName, kMostPlanBytes, bytes)) return std::nullopt;
  try {
    return decode_plan(bytes);
  } catch (const Error&) {
    return std::nullopt;  // `status` must answer even if the plan is damaged
  }
}

/// Returns whether the supervisor or the kernel ended the replica because of a limit.
bool exceeded_limit(const AppSnapshot& app, const ReplicaSnapshot& replica) {
  if (replica.reason == Reason::kTimeout || replica.reason == Reason::kOom) return true;
  return app.exceeded_app_timeout && replica.reason == Reason::kCancelled;
}

/// Returns the limits of each role, for people.
std::map<std::string, LimitTexts> limits_of(const LaunchPlan& plan) {
  constexpr std::int64_t kMiB = 1 << 20;
  std::map<std::string, LimitTexts> out;
  for (const LaunchGroup& group : plan.groups) {
    LimitTexts& texts = out[group.role];
    const std::int64_t timeout_ms = group.rules.timeout_ms.value_or(plan.rules.timeout_ms);
    texts.time = "timeout_s of " + seconds_text(timeout_ms) + " s";
    texts.app_time = "app_timeout_s of " + seconds_text(plan.rules.app_timeout_ms) + " s";
    const std::int64_t memory = group.needs.limits.memory_bytes;
    if (memory > 0) texts.memory = std::to_string(memory / kMiB) + " MiB";
  }
  return out;
}

}  // namespace

RecordDetails read_details(const AppRef& ref, const AppSnapshot& app) {
  RecordDetails out;
  std::optional<LaunchPlan> plan;
  bool has_waits = false;
  // The time of the error file that was written first, in seconds and nanoseconds.
  std::pair<std::int64_t, std::int64_t> oldest{std::numeric_limits<std::int64_t>::max(), 0};
  for (const RoleSnapshot& role : app.roles) {
    for (const ReplicaSnapshot& replica : role.replicas) {
      const bool needs_limit = out.limits.empty() && exceeded_limit(app, replica);
      const bool needs_wait = !has_waits && replica.state == AppState::kPending;
      if (!replica.has_error_file && !needs_limit && !needs_wait) continue;
      if (!plan) plan = read_plan(ref);
      if (!plan) return out;
      if (needs_limit) out.limits = limits_of(*plan);
      if (needs_wait) {
        out.waits = waits_of(*plan, app);
        has_waits = true;
      }
      if (!replica.has_error_file) continue;
      const std::string path = error_file_path(*plan, role.name, replica.id);
      struct stat info {};
      std::string bytes;
      if (!read_file(AT_FDCWD, path.c_str(), kLargestErrorFile, bytes, &info)) continue;
      // The record of another user can name any file that root may read.
      if (app.other_owner && info.st_uid != *app.other_owner) continue;
      std::string text = python_json(bytes);
      if (text.empty()) continue;
      const std::pair<std::int64_t, std::int64_t> written{info.st_mtim.tv_sec,
                                                          info.st_mtim.tv_nsec};
      if (written < oldest) {
        oldest = written;
        out.first_error_file = text;
      }
      out.error_files.emplace(std::make_pair(role.name, replica.id), std::move(text));
    }
  }
  return out;
}

}  // namespace slipway::local
