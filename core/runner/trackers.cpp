#include "core/runner/trackers.hpp"

#include <cstdlib>

#include "core/spec/key_values.hpp"

namespace slipway {

namespace {

constexpr const char* kTrackers = "TORCHX_TRACKERS";

}  // namespace

std::string tracker_config_variable(std::string_view name) {
  std::string out = "TORCHX_TRACKER_";
  for (const char c : name)
    out.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  return out + "_CONFIG";
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
  std::string names;
  for (const Tracker& tracker : trackers) names += (names.empty() ? "" : ",") + tracker.name;
  for (Role& role : app.roles) {
    set(role.env, kTrackers, names);
    for (const Tracker& tracker : trackers) {
      if (tracker.config.empty()) continue;
      set(role.env, tracker_config_variable(tracker.name), tracker.config);
    }
  }
}

}  // namespace slipway
