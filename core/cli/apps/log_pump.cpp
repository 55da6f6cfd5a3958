#include "core/cli/apps/log_pump.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <system_error>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/live_area.hpp"
#include "core/cli/terminal/plugin_crash.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/log_output.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::cli {

namespace {

constexpr int kPatienceMs = 5000;

logs::LogOutputOptions output_options(const Invocation& invocation) {
  logs::LogOutputOptions out;
  out.style.prefix = true;
  out.style.color = invocation.color(STDERR_FILENO);
  out.follow = true;
  return out;
}

LogQuery follow_all() {
  LogQuery query;
  query.follow = true;
  return query;
}

/// Makes the stacks of new threads large enough for plug-ins, whatever `ulimit -s` is.
void use_large_stacks() {
  constexpr std::size_t kEnough = std::size_t{1} << 20U;
  pthread_attr_t attributes;
  std::size_t size = 0;
  if (::pthread_getattr_default_np(&attributes) != 0) return;
  if (::pthread_attr_getstacksize(&attributes, &size) == 0 && size < kEnough &&
      ::pthread_attr_setstacksize(&attributes, kEnough) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

}  // namespace

bool LogFailures::add(const Error& error) {
  // A plug-in waits before it reports a temporary failure. One that does not would be asked for
  // ever.
  constexpr int kMostInARow = 1000;
  if (last_ != error.message()) say(LogLevel::kWarning, error.message());
  last_ = error.message();
  return ++count_ < kMostInARow;
}

struct LogPump::Shared {
  Shared(Invocation& invocation, const AppHandle& handle)
      : logs(invocation.runner().log_lines(handle, follow_all())),
        output(
            output_options(invocation),
            [](std::string_view bytes) {
              // Output that cannot be written (a full disk behind 2>) is still in the app's log
              // files.
              write_stream(STDERR_FILENO, bytes);
            },
            LiveArea::open(STDERR_FILENO, area)) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      throw Error(Code::kUnavailable, "no descriptor is left for following logs",
                  "raise the limit of open files (ulimit -n)");
    }
    done = OwnedFd(ends[0]);
    copying = OwnedFd(ends[1]);
  }

  AppLogs logs;
  std::optional<LiveArea> area;
  logs::LogOutput output;
  std::exception_ptr failure;  // ended the thread, such as a lack of memory; or null
  OwnedFd done;     // the reading end of a pipe, which hangs up when the thread has finished
  OwnedFd copying;  // the writing end; closing it cannot fail, unlike writing a message
};

LogPump::LogPump(Invocation& invocation, const AppHandle& handle)
    : shared_(std::make_shared<Shared>(invocation, handle)) {
  use_large_stacks();
  try {
    thread_ = std::thread([shared = shared_] {
      const CrashStack crash_stack;
      try {
        copy(*shared);
      } catch (const std::exception&) {
        shared->failure = std::current_exception();
      }
      shared->copying.reset();
    });
  } catch (const std::system_error& error) {
    shared_->logs.cancel();
    throw Error(
        Code::kTemporary,
        std::string("the logs cannot be shown, because no thread can be started: ") + error.what(),
        "`slipway log -f` shows them");
  }
}

LogPump::~LogPump() {
  shared_->logs.cancel();
  pollfd done{shared_->done.get(), POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&done, 1, kPatienceMs)) < 0 && errno == EINTR) {
  }
  if (ready > 0) {
    thread_.join();
    warn_of_failure();
  } else {
    say(LogLevel::kWarning, "the scheduler does not stop reading logs, continuing without it");
    thread_.detach();
  }
}

void LogPump::warn_of_failure() const {
  if (!shared_->failure) return;
  try {
    std::rethrow_exception(shared_->failure);
  } catch (const std::exception& error) {
    say(LogLevel::kWarning,
        std::string("no more logs are shown here: ") + error.what() + "; `slipway log` reads them");
  }
}

void LogPump::finish(Interrupts& interrupts) {
  pollfd fds[] = {{shared_->done.get(), POLLIN, 0}, {interrupts.fd(), POLLIN, 0}};
  // The user may have interrupted twice to end the app. The second interrupt must not lose the
  // app's last lines, so one interrupt leaves the scheduler some time.
  for (bool interrupted = false;;) {
    interrupts.handled();
    const int ready = ::poll(fds, 2, interrupted ? kPatienceMs : -1);
    if (ready < 0) continue;
    if (fds[0].revents != 0) return;
    if (ready == 0) break;
    if (interrupts.take() == 0) continue;
    if (interrupted) break;
    interrupted = true;
  }
  say(LogLevel::kWarning, "stopped reading logs; `slipway log` shows what is missing");
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
        return;
      }
      timeout_ms = shared.output.flush() ? logs::LogOutput::kShowPause.count() : -1;
    } catch (const Error& error) {
      shared.output.flush();
      if (error.code() == Code::kTemporary && failures.add(error)) continue;
      shared.output.finish();
      if (error.code() == Code::kCancelled) return;
      if (error.code() != Code::kTemporary) say(error);
      say(LogLevel::kWarning, "no more logs are shown here; `slipway log` reads them");
      return;
    }
  }
}

}  // namespace slipway::cli
