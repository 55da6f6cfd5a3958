#include "plugins/local/supervisor/ending/end_command.hpp"

#include <fcntl.h>

#include <string>

#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/end_command.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

EndedApp ended_app(AppFiles& files) {
  const LaunchPlan& plan = files.plan();
  const StateHeader& header = files.state().header();
  EndedApp out;
  out.app_id = plan.app_id;
  out.name = plan.app_name;
  out.scheduler = plan.scheduler;
  out.session = plan.session;
  out.state = files.state().app_state();
  out.message = files.state().message();
  out.submitted_ns = header.fixed.submitted_ns;
  out.started_ns = header.started_ns.load();
  out.finished_ns = header.finished_ns.load();
  out.log_dir = plan.log_dir;
  return out;
}

void start(AppFiles& files) {
  const LaunchPlan& plan = files.plan();
  OwnedFd log = open_regular(files.dir_fd(), kEndLogName, O_WRONLY | O_APPEND);
  if (!log) log = create_private_file(files.dir_fd(), kEndLogName, O_WRONLY | O_APPEND);
  slipway::start_end_command(
      ended_app(files), {plan.rules.on_end, plan.groups.front().cwd, plan.environment}, log.get());
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
