#include "core/cli/log_pump.hpp"

#include <unistd.h>

#include <string>

#include "core/cli/diagnostics.hpp"
#include "core/cli/stream_write.hpp"

namespace slipway::cli {

namespace {

logs::LogOutputOptions output_options(const Invocation& invocation) {
  logs::LogOutputOptions out;
  out.style.prefix = true;
  out.style.color = invocation.color(STDERR_FILENO);
  return out;
}

LogQuery everything() {
  LogQuery query;
  query.follow = true;
  return query;
}

}  // namespace

LogPump::LogPump(Invocation& invocation, const AppHandle& handle)
    : logs_(invocation.runner().log_lines(handle, everything())),
      output_(output_options(invocation),
              [](std::string_view bytes) {
                // what cannot be shown (a full disk behind 2>) is still in the app's log files
                write_stream(STDERR_FILENO, bytes);
              }),
      thread_([this] { copy(); }) {}

LogPump::~LogPump() {
  logs_.cancel();
  join();
}

void LogPump::join() {
  if (thread_.joinable()) thread_.join();
}

void LogPump::copy() {
  std::string last_failure;
  while (true) {
    try {
      const auto next = logs_.next(-1, [this](const LogChunk& chunk) { output_.chunk(chunk); });
      output_.flush();
      last_failure.clear();
      if (next == LogIterator::Next::kEnd) return;
    } catch (const Error& error) {
      output_.flush();
      if (error.code() == Code::kCancelled) return;
      // The scheduler gives up a log that it cannot read, and goes on with the others. A failure
      // that comes back is not about one log, and would come back forever.
      const bool passes = error.code() == Code::kUnavailable || error.code() == Code::kDenied;
      const bool repeated = error.message() == last_failure;
      if (!repeated) say(error);
      if (!passes || repeated) {
        say(LogLevel::kWarning, "the logs are not shown any further; `slipway log` reads them");
        return;
      }
      last_failure = error.message();
    }
  }
}

}  // namespace slipway::cli
