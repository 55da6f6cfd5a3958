#include "core/cli/apps/event_watch.hpp"

#include <utility>

#include "core/cli/apps/wait_lines.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "sdk/support/wake_event.hpp"

namespace slipway::cli {

struct EventWatch::Shared {
  Shared(Invocation& the_invocation, AppHandle the_handle, const ReplicaFilter& filter,
         const EventLines::Write& write)
      : invocation(the_invocation),
        handle(std::move(the_handle)),
        failures(invocation, handle, FailureLines::AtEnd::kNothing, filter),
        message(wait_messages(handle.app_id)),
        waits(ReplicaWaits::Grouping::kByRole, wait_messages(handle.app_id), filter) {
    if (invocation.json()) documents.emplace(invocation, handle, filter, write);
  }

  void skip(const Description& app) { documents ? documents->skip(app) : failures.skip(app); }
  void print_new(const Description& app) {
    documents ? documents->print_new(app) : failures.print_new(app);
  }

  Invocation& invocation;
  AppHandle handle;
  std::optional<EventLines> documents;  // with --json; prints instead of the next three members
  FailureLines failures;
  AppMessage message;
  ReplicaWaits waits;
  WakeEvent stop;  // raised when the object is destroyed
};

EventWatch::EventWatch(Invocation& invocation, const AppHandle& handle, const ReplicaFilter& filter,
                       const EventLines::Write& write, const Description* known)
    : shared_(std::make_shared<Shared>(invocation, handle, filter, write)) {
  if (known != nullptr) shared_->skip(*known);
  thread_.emplace([shared = shared_] { follow(*shared); }, "`slipway events -f` prints events");
}

EventWatch::~EventWatch() {
  shared_->stop.raise();
  if (!thread_->join_or_leave()) {
    shared_->invocation.keep_for_thread();
    say(LogLevel::kWarning,
        shared_->handle.scheduler + " does not answer, so later failures are not reported here");
  } else if (const auto& failure = thread_->failure()) {
    say(LogLevel::kWarning, "failures were no longer reported here: " + *failure);
  }
}

void EventWatch::follow(Shared& shared) {
  Runner& runner = shared.invocation.runner();
  WaitOptions wait;
  wait.wake_fd = shared.stop.fd();
  std::optional<EventLines>& documents = shared.documents;
  wait.on_look = [&](const Description& app) {
    return documents ? documents->print_message(app) : shared.message.look(app);
  };
  wait.on_replicas = [&](const Description& app) {
    shared.print_new(app);
    return documents ? documents->print_waits(app) : shared.waits.look(app);
  };
  try {
    runner.wait(shared.handle, wait);
    if (const auto last = runner.status(shared.handle, StatusDetail::kReplicas))
      shared.print_new(last->description);
  } catch (const Error& error) {
    // If the error also concerns the logs, their reader reports it.
    say(LogLevel::kDebug, "failures are no longer reported here: " + error.message());
  }
}

}  // namespace slipway::cli
