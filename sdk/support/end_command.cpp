#include "sdk/support/end_command.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "sdk/support/file_text.hpp"
#include "sdk/support/utc_time.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/background_program.hpp"
#include "slipway/error.hpp"
#include "slipway/json_text.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {

namespace {

std::string handle_of(const EndedApp& app) {
  return make_app_handle(app.scheduler, app.session, app.app_id);
}

std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : json_quote(text);
}

std::string end_json(const EndedApp& app) {
  std::string out = "{";
  const auto add = [&](const char* key, const std::string& value) {
    out += (out.size() > 1 ? ",\"" : "\"") + std::string(key) + "\":" + value;
  };
  add("handle", json_quote(handle_of(app)));
  add("app_id", json_quote(app.app_id));
  add("name", json_quote(app.name));
  add("scheduler", json_quote(app.scheduler));
  add("session", json_quote(app.session));
  add("state", json_quote(std::string(to_string(app.state))));
  add("msg", text_or_null(app.message));
  add("submitted_at", utc_json(app.submitted_ns));
  add("started_at", utc_json(app.started_ns));
  add("finished_at", utc_json(app.finished_ns));
  add("log_dir", text_or_null(app.log_dir));
  return out + "}\n";
}

/// Returns whether the variable describes an app or a replica. It is then another app's: the
/// command that started this app may have run in a replica of another app, or in the `on_end`
/// command of another app. The other variables of Slipway are settings, such as SLIPWAY_CONFIG.
bool describes_another_app(const std::string& entry) {
  constexpr std::array<std::string_view, 13> kNames = {
      "SLIPWAY_HANDLE",          "SLIPWAY_APP_ID",  "SLIPWAY_APP_STATE",   "SLIPWAY_REPLICA_ID",
      "SLIPWAY_LOCAL_APP",       "SLIPWAY_ATTEMPT", "SLIPWAY_LOCAL_PROBE", "SLIPWAY_RANK0_HOST",
      "TORCHELASTIC_ERROR_FILE", "PET_LOG_DIR",     "TORCHX_JOB_ID",       "TORCHX_RANK0_HOST",
      "TORCHX_MAX_RETRIES"};
  const std::string_view name = std::string_view(entry).substr(0, entry.find('='));
  return name == "SLIPWAY_ROLE" || name.starts_with("SLIPWAY_ROLE_") ||
         name.starts_with("SLIPWAY_PORT_") ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Returns a file in memory that contains the text, positioned at its start.
OwnedFd file_with(const std::string& text) {
  OwnedFd file(::memfd_create("slipway-end", MFD_CLOEXEC));
  if (!file || !write_all(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) != 0)
    throw Error(Code::kUnavailable,
                std::string("cannot keep the command's input in memory: ") + std::strerror(errno));
  return file;
}

}  // namespace

void start_end_command(const EndedApp& app, EndCommand command, int log_fd) {
  const OwnedFd in = file_with(end_json(app));
  StrList& environment = command.environment;
  std::erase_if(environment, &describes_another_app);
  environment.push_back("SLIPWAY_HANDLE=" + handle_of(app));
  environment.push_back("SLIPWAY_APP_ID=" + app.app_id);
  environment.push_back("SLIPWAY_APP_STATE=" + std::string(to_string(app.state)));
  BackgroundProgram program;
  program.argv = {"/bin/sh", "-c", std::move(command.text)};
  program.cwd = std::move(command.cwd);
  program.environment = &environment;
  program.in = in.get();
  program.out = program.err = log_fd;
  start_background(program);
}

}  // namespace slipway
