#include "core/runner/runner_environment.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "slipway/app_handle.hpp"

namespace slipway {

namespace {

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// A random UUID (version 4) that stays the same for the life of the process.
const std::string& process_session_id() {
  static const std::string id = [] {
    std::random_device random;
    const std::uint32_t a = random();
    const std::uint32_t b = random();
    const std::uint32_t c = random();
    const std::uint32_t d = random();
    char text[37];
    std::snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%04x%08x", a, b >> 16, b & 0xfffu,
                  0x8000u | ((c >> 16) & 0x3fffu), c & 0xffffu, d);
    return std::string(text);
  }();
  return id;
}

}  // namespace

void add_runner_environment(AppDef& app, const std::string& scheduler, const std::string& session,
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

void remove_runner_environment(AppDef& app) {
  for (Role& role : app.roles) {
    const auto of_the_run = [](const auto& variable) {
      return variable.first == "TORCHX_JOB_ID" || variable.first == "TORCHX_INTERNAL_SESSION_ID";
    };
    role.env.erase(std::remove_if(role.env.begin(), role.env.end(), of_the_run), role.env.end());
  }
}

}  // namespace slipway
