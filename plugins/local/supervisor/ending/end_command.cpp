#include "plugins/local/supervisor/ending/end_command.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/utc_time.hpp"
#include "slipway/background_program.hpp"
#include "slipway/json_text.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

std::string handle_of(const LaunchPlan& plan) {
  return plan.scheduler + "://" + plan.session + "/" + plan.app_id;
}

/// Returns the description of the end; the keys are those of `status --json`.
std::string end_json(AppFiles& files) {
  const LaunchPlan& plan = files.plan();
  const StateHeader& header = files.state().header();
  const std::string message(header.message, header.message_length.load());
  std::string out = "{";
  const auto add = [&](const char* key, const std::string& value) {
    out += (out.size() > 1 ? ",\"" : "\"") + std::string(key) + "\":" + value;
  };
  add("handle", json_quote(handle_of(plan)));
  add("app_id", json_quote(plan.app_id));
  add("name", json_quote(plan.app_name));
  add("scheduler", json_quote(plan.scheduler));
  add("session", json_quote(plan.session));
  add("state", json_quote(std::string(to_string(files.state().app_state()))));
  add("msg", message.empty() ? "null" : json_quote(message));
  add("submitted_at", utc_json(header.fixed.submitted_ns));
  add("started_at", utc_json(header.started_ns.load()));
  add("finished_at", utc_json(header.finished_ns.load()));
  add("log_dir", json_quote(plan.log_dir));
  return out + "}\n";
}

/// Returns a file in memory with the text, at its start.
OwnedFd file_with(const std::string& text) {
  OwnedFd file(::memfd_create("slipway-end", MFD_CLOEXEC));
  if (!file || !write_all(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) != 0)
    throw Error(Code::kUnavailable,
                std::string("no memory for its input: ") + std::strerror(errno));
  return file;
}

void start(AppFiles& files) {
  const LaunchPlan& plan = files.plan();
  const OwnedFd in = file_with(end_json(files));
  OwnedFd log = open_regular(files.dir_fd(), kEndLogName, O_WRONLY | O_APPEND);
  if (!log) log = create_private_file(files.dir_fd(), kEndLogName, O_WRONLY | O_APPEND);
  StrList environment = plan.environment;
  // Those of the command that started the app, if that ran in a replica.
  std::erase_if(environment,
                [](const std::string& entry) { return entry.starts_with("SLIPWAY_"); });
  environment.push_back("SLIPWAY_HANDLE=" + handle_of(plan));
  environment.push_back("SLIPWAY_APP_ID=" + plan.app_id);
  environment.push_back("SLIPWAY_APP_STATE=" + std::string(to_string(files.state().app_state())));
  BackgroundProgram program;
  program.argv = {"/bin/sh", "-c", plan.rules.on_end};
  program.cwd = plan.groups.front().cwd;
  program.environment = &environment;
  program.in = in.get();
  program.out = program.err = log.get();
  start_background(program);
}

}  // namespace

void start_end_command(AppFiles& files) {
  if (files.plan().rules.on_end.empty() || files.state().header().end_command.load() != 0) return;
  // First, so that a successor does not start it again.
  files.edit_header().end_command.store(1);
  files.save_header();
  try {
    start(files);
    files.events().add(files.changed(), "app END_COMMAND");
  } catch (const Error& error) {
    files.events().add(files.changed(), "on_end: " + error.message());
  }
  files.events().flush();
}

}  // namespace slipway::local
