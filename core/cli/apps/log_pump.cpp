#include "core/cli/apps/log_pump.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "core/cli/apps/log_failures.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/live_area.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/log_output.hpp"

namespace slipway::cli {

namespace {

constexpr int kLastLinesPatienceMs = 5000;  // of finish(), after an interrupt

logs::LogOutputOptions output_options(const Invocation& invocation) {
  logs::LogOutputOptions out;
  out.style.prefix = true;
  out.style.color = invocation.color(STDERR_FILENO);
  out.follow = true;
  return out;
}

LogQuery query_for_following() {
  LogQuery query;
  query.follow = true;
  return query;
}

}  // namespace

struct LogPump::Shared {
  Shared(Invocation& invocation, const AppHandle& handle)
      : logs(invocation.runner().log_lines(handle, query_for_following())),
        output(
            output_options(invocation),
            [](std::string_view bytes) {
              // Ignores failures, such as a full disk behind `2>`: the app's log files still have
              // the lines.
              write_stream(STDERR_FILENO, bytes);
            },
            LiveArea::open(STDERR_FILENO, area)) {}

  AppLogs logs;
  std::optional<LiveArea> area;
  logs::LogOutput output;
  std::atomic<bool> is_complete{false};  // everything that the app wrote is copied
};

LogPump::LogPump(Invocation& invocation, const AppHandle& handle)
    : shared_(std::make_shared<Shared>(invocation, handle)) {
  try {
    thread_.emplace([shared = shared_] { copy(*shared); }, "`slipway log -f` shows the logs");
  } catch (const Error& error) {
    shared_->logs.cancel();
    throw Error(error.code(), "the logs cannot be shown: " + error.message(), error.hint());
  }
}

LogPump::~LogPump() {
  shared_->logs.cancel();
  if (thread_->join_or_leave()) {
    warn_of_failure();
  } else {
    say(LogLevel::kWarning, "the scheduler does not stop reading logs, continuing without it");
  }
}

void LogPump::warn_of_failure() const {
  if (const auto& failure = thread_->failure()) {
    say(LogLevel::kWarning,
        "no more logs are shown here: " + *failure + "; `slipway log` reads them");
  }
}

bool LogPump::finish(Interrupts& interrupts) {
  pollfd fds[] = {{thread_->done_fd(), POLLIN, 0}, {interrupts.fd(), POLLIN, 0}};
  // The user may have pressed ^C twice to kill the app. The second ^C may arrive here, after the
  // app's end, and must not lose the app's last lines. So a first interrupt only limits the wait.
  for (bool interrupted = false;;) {
    interrupts.handled();
    const int ready = ::poll(fds, 2, interrupted ? kLastLinesPatienceMs : -1);
    if (ready < 0) continue;
    if (fds[0].revents != 0) return shared_->is_complete;
    if (ready == 0) break;
    if (interrupts.take() == 0) continue;
    if (interrupted) break;
    interrupted = true;
  }
  say(LogLevel::kWarning, "stopped reading logs; `slipway log` shows what is missing");
  return false;
}

void LogPump::copy(Shared& shared) {
  LogFailures failures;
  std::int64_t timeout_ms = -1;
  while (true) {
    try {
      const auto next = shared.logs.next(timeout_ms, [&](const LogChunk& chunk) {
        failures.delivered();
        shared.output.chunk(chunk);
      });
      if (next == LogIterator::Next::kEnd) {
        shared.output.finish();
        shared.is_complete = true;
        return;
      }
      // After the pause, unfinished lines that flush() did not show are due.
      timeout_ms = shared.output.flush() ? logs::LogOutput::kShowPause.count() : -1;
    } catch (const Error& error) {
      shared.output.flush();
      if (error.code() == Code::kTemporary && failures.add(error)) continue;
      shared.output.finish();
      if (error.code() == Code::kCancelled) return;
      if (error.code() != Code::kTemporary) say(error);  // add() has printed a temporary one
      say(LogLevel::kWarning, "no more logs are shown here; `slipway log` reads them");
      return;
    }
  }
}

}  // namespace slipway::cli
