#include "core/runner/replica_variables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/spec/key_values.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/ids.hpp"

namespace slipway {

namespace {

constexpr const char* kTrackers = "TORCHX_TRACKERS";

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Returns a random UUID (version 4) that stays the same while the process lives.
const std::string& process_session_id() {
  static const std::string id = [] {
    const std::uint64_t high = random_bits();
    const std::uint64_t low = random_bits();
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffffu,
                       high & 0xfffu, 0x8000u | (low >> 50), low & 0xffffffffffffu);
  }();
  return id;
}

/// Returns `TORCHX_TRACKER_<NAME>_CONFIG`, with the name in upper case (ASCII).
std::string tracker_config_variable(std::string_view name) {
  return "TORCHX_TRACKER_" + upper_case(name) + "_CONFIG";
}

}  // namespace

void add_run_variables(AppDef& app, const std::string& scheduler, const std::string& session,
                       const std::string& parent_run_id) {
  std::string internal_id = environment_value("TORCHX_INTERNAL_SESSION_ID");
  if (internal_id.empty()) internal_id = process_session_id();
  std::string parent = environment_value("TORCHX_PARENT_RUN_ID");
  if (parent.empty()) parent = parent_run_id;
  for (Role& role : app.roles) {
    set(role.env, "TORCHX_JOB_ID", make_app_handle(scheduler, session, "${app_id}"));
    set(role.env, "TORCHX_INTERNAL_SESSION_ID", internal_id);
    if (!parent.empty()) set(role.env, "TORCHX_PARENT_RUN_ID", parent);
  }
}

void remove_run_variables(AppDef& app) {
  for (Role& role : app.roles) {
    const auto of_the_run = [](const auto& variable) {
      return variable.first == "TORCHX_JOB_ID" || variable.first == "TORCHX_INTERNAL_SESSION_ID";
    };
    role.env.erase(std::remove_if(role.env.begin(), role.env.end(), of_the_run), role.env.end());
  }
}

std::vector<Tracker> active_trackers(const std::vector<Tracker>& configured) {
  std::vector<Tracker> out = configured;
  if (const char* names = std::getenv(kTrackers); names != nullptr) {
    out.clear();
    for (std::string& name : spec::to_list(names)) {
      if (name.empty()) continue;
      Tracker& tracker = out.emplace_back();
      for (const Tracker& other : configured) {
        if (other.name == name) tracker.config = other.config;
      }
      tracker.name = std::move(name);
    }
  }
  for (Tracker& tracker : out) {
    const char* config = std::getenv(tracker_config_variable(tracker.name).c_str());
    if (config != nullptr) tracker.config = config;
  }
  return out;
}

void add_trackers(AppDef& app, const std::vector<Tracker>& trackers) {
  if (trackers.empty()) return;
  const std::string names =
      joined(trackers, ",", [](const Tracker& tracker) { return tracker.name; });
  for (Role& role : app.roles) {
    set(role.env, kTrackers, names);
    for (const Tracker& tracker : trackers) {
      if (tracker.config.empty()) continue;
      set(role.env, tracker_config_variable(tracker.name), tracker.config);
    }
  }
}

}  // namespace slipway
