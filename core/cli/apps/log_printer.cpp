#include "core/cli/apps/log_printer.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/cli/apps/log_failures.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/live_area.hpp"
#include "core/cli/terminal/plugin_output.hpp"
#include "core/cli/terminal/plugin_thread.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/registry/calls/call_context.hpp"

namespace slipway::cli {

namespace {

using Next = LogIterator::Next;

// A log that arrives over a socket pauses also in lines that exist already. A pause of this length
// ends the backlog.
constexpr std::int64_t kBacklogPauseMs = 250;

}  // namespace

/// The state that the readers of all parts share. `mutex` protects all other members.
struct LogPrinter::Shared {
  /// With `shows_unfinished`, a terminal shows unfinished lines (see logs::LogOutput).
  Shared(logs::LogOutputOptions options, bool shows_unfinished)
      : follow(options.follow),
        holds_backlog(options.tail || options.merge != logs::Merge::kNo),
        output(
            std::move(options), [](std::string_view bytes) { write_bytes(bytes); },
            shows_unfinished ? LiveArea::open(standard_output(), area) : nullptr) {}

  void read(AppLogs& logs, const LogPart& part);
  void read_to_end(AppLogs& logs, std::uint32_t app, bool& is_backlog);
  void end_backlog();
  void write_document(std::string_view document);
  void add_failure(const Error& error, const AppHandle& app);
  template <class Print>
  bool print(const Print& print_to);

  std::mutex mutex;
  std::condition_variable changed;
  const bool follow;
  /// The backlog of a reader is the lines that existed when the command started. With
  /// `holds_backlog`, none of them is printed before all readers have read their backlogs; but with
  /// Merge::kIfItFits, all are printed as soon as they exceed LogOutputOptions::most_merged.
  const bool holds_backlog;
  std::optional<LiveArea> area;
  logs::LogOutput output;
  std::size_t backlogs = 0;      // with `follow`: readers that have not read their backlog
  std::string held_documents;    // documents to print after the backlogs
  std::size_t reading = 0;       // readers that have not ended
  bool several = true;           // there are other logs, so a failure does not end the command
  std::optional<Error> failure;  // the first failure of a reader
  std::exception_ptr fatal;      // ends all readers, for example when output cannot be written
};

/// Calls `print_to(output)` and returns its result. Stores a failure as `fatal`.
template <class Print>
bool LogPrinter::Shared::print(const Print& print_to) {
  const std::lock_guard lock(mutex);
  try {
    return print_to(output);
  } catch (const std::exception&) {
    fatal = std::current_exception();
    throw;
  }
}

/// Records that a reader has read its backlog. After the last one, prints all backlogs and the held
/// documents. The caller holds the mutex.
void LogPrinter::Shared::end_backlog() {
  if (--backlogs > 0) return;
  output.end_of_backlog();
  if (held_documents.empty()) return;
  output.flush();
  write_bytes(held_documents);
}

/// Writes a document after the lines that were printed before, and after held backlogs.
void LogPrinter::Shared::write_document(std::string_view document) {
  print([&](logs::LogOutput& out) {
    if (holds_backlog && backlogs > 0) {
      held_documents += document;
      return true;
    }
    out.flush();
    write_bytes(document);
    return true;
  });
}

/// Keeps the first failure, which the command reports after the other logs, and prints the later
/// ones. With `follow`, the other logs may continue for long, so it prints the first one as well.
/// The end of the time limit and a cancellation concern all readers, so one such failure is
/// enough. The caller holds the mutex.
void LogPrinter::Shared::add_failure(const Error& error, const AppHandle& app) {
  if (error.code() == Code::kTimeout || error.code() == Code::kCancelled || !several) {
    if (!failure) failure = error;
    return;
  }
  const bool is_named = error.message().find(app.app_id) != std::string::npos;
  const std::string message = is_named ? error.message() : app.app_id + ": " + error.message();
  if (follow || failure) say(LogLevel::kWarning, message);
  if (!failure)
    failure =
        Error(error.code(), message, error.hint(), error.where()).with_details(error.details());
}

/// Reads the logs of a part to their end. Stores failures.
void LogPrinter::Shared::read(AppLogs& logs, const LogPart& part) {
  bool is_backlog = holds_backlog && follow;
  std::optional<Error> error_of_part;
  std::exception_ptr other;
  try {
    read_to_end(logs, part.number, is_backlog);
  } catch (const Error& error) {
    error_of_part = error;
  } catch (const std::exception&) {
    other = std::current_exception();
  }
  const std::lock_guard lock(mutex);
  try {
    if (is_backlog && !fatal) end_backlog();
  } catch (const std::exception&) {
    other = std::current_exception();
  }
  if (!fatal) fatal = other;
  if (!fatal && error_of_part) add_failure(*error_of_part, part.app);
  --reading;
  changed.notify_all();
}

/// Prints the log. Its backlog ends with the first line that is newer than this call or, because a
/// line may have no time, with the first pause: of kBacklogPauseMs or, after a line without a time,
/// of any length, so that the backlog of a program that writes all the time ends as well.
void LogPrinter::Shared::read_to_end(AppLogs& logs, std::uint32_t app, bool& is_backlog) {
  const std::int64_t start =
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  LogFailures failures;
  bool has_times = true;
  bool has_unshown = false;  // unfinished lines wait for the terminal's next update
  for (Next next = Next::kChunks; next != Next::kEnd;) {
    const std::int64_t timeout_ms = is_backlog    ? (has_times ? kBacklogPauseMs : 0)
                                    : has_unshown ? logs::LogOutput::kShowPause.count()
                                                  : -1;
    try {
      next = logs.next(timeout_ms, [&](const LogChunk& chunk) {
        failures.delivered();
        has_times = chunk.time.has_value();
        print([&](logs::LogOutput& out) {
          if (has_times && *chunk.time > start && std::exchange(is_backlog, false)) end_backlog();
          out.chunk(chunk, app);
          return true;
        });
      });
    } catch (const Error& error) {
      // Prints the lines that came before the error.
      print([](logs::LogOutput& out) { return out.flush(); });
      if (error.code() != Code::kTemporary || !failures.add(error)) throw;
      next = Next::kChunks;
    }
    has_unshown = print([&](logs::LogOutput& out) {
      if (next != Next::kChunks && std::exchange(is_backlog, false)) end_backlog();
      return out.flush();
    });
  }
}

/// The threads of a command that follows several apps. The destructor stops them without waiting
/// for further lines, and waits at most PluginThread::kEndPatience for all of them together.
class LogPrinter::Followers {
 public:
  explicit Followers(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  Followers(const Followers&) = delete;
  Followers& operator=(const Followers&) = delete;

  ~Followers() {
    for (const Follower& each : followers_) each.logs->cancel();
    const auto end = PluginThread::Clock::now() + PluginThread::kEndPatience;
    bool all_ended = true;
    for (Follower& each : followers_) {
      if (each.thread && !each.thread->join_or_leave(end)) all_ended = false;
    }
    if (!all_ended)
      say(LogLevel::kWarning, "a scheduler does not stop reading logs, continuing without it");
  }

  void add(AppLogs logs, const LogPart& part) {
    Follower& added = followers_.emplace_back();
    added.logs = std::make_shared<AppLogs>(std::move(logs));
    added.part = part;
  }

  void start() {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->backlogs = followers_.size();
    }
    for (Follower& each : followers_) {
      {
        const std::lock_guard lock(shared_->mutex);
        ++shared_->reading;
      }
      try {
        each.thread.emplace(
            [shared = shared_, logs = each.logs, part = each.part] { shared->read(*logs, part); },
            "follow fewer apps at once");
      } catch (const Error&) {
        const std::lock_guard lock(shared_->mutex);
        --shared_->reading;
        throw;
      }
    }
  }

  /// Waits until all threads have ended, or until a fatal error concerns all of them.
  void await() {
    std::unique_lock lock(shared_->mutex);
    const auto is_over = [&] { return shared_->reading == 0 || shared_->fatal; };
    const auto limit = registry::time_until_call_limit();
    // At the limit, the readers end with errors of their own. A second is enough for that.
    if (!limit) {
      shared_->changed.wait(lock, is_over);
    } else if (!shared_->changed.wait_for(lock, *limit + std::chrono::seconds(1), is_over)) {
      shared_->add_failure(Error(Code::kTimeout, "a scheduler does not return from reading logs"),
                           {});
    }
  }

 private:
  struct Follower {
    std::shared_ptr<AppLogs> logs;
    LogPart part;
    std::optional<PluginThread> thread;
  };
  std::shared_ptr<Shared> shared_;
  std::list<Follower> followers_;
};

LogPrinter::LogPrinter(Invocation& invocation, logs::LogOutputOptions options)
    : invocation_(invocation) {
  const bool shows_unfinished = options.follow && !options.style.json;
  shared_ = std::make_shared<Shared>(std::move(options), shows_unfinished);
}

const logs::LogOutput& LogPrinter::output() const { return shared_->output; }

void LogPrinter::add_failure(const Error& error, const AppHandle& app) {
  const std::lock_guard lock(shared_->mutex);
  shared_->add_failure(error, app);
}

AppLogs LogPrinter::open(const LogPart& part) {
  try {
    return invocation_.runner().log_lines(part.app, part.query);
  } catch (const Error& error) {
    if (!part.is_attempt || error.code() != Code::kUnimplemented) throw;
    throw Error(error.code(), "attempts cannot be told apart: " + error.message(),
                "leave --attempt out");
  }
}

void LogPrinter::print_in_turn(const std::vector<LogPart>& parts, const Watch& watch) {
  for (const LogPart& part : parts) {
    try {
      AppLogs logs = open(part);
      shared_->backlogs = shared_->reading = 1;
      std::shared_ptr<void> watching;
      if (watch && parts.size() == 1) {
        watching = watch(
            [shared = shared_](std::string_view document) { shared->write_document(document); });
      }
      shared_->read(logs, part);
    } catch (const Error& error) {
      add_failure(error, part.app);
    }
    if (shared_->fatal) return;
  }
}

void LogPrinter::follow_all(const std::vector<LogPart>& parts) {
  Followers followers(shared_);
  for (const LogPart& part : parts) {
    try {
      followers.add(open(part), part);
    } catch (const Error& error) {
      add_failure(error, part.app);
    }
  }
  followers.start();
  followers.await();
}

void LogPrinter::print(const std::vector<LogPart>& parts, const Watch& watch) {
  shared_->several = parts.size() > 1 || shared_->failure;
  if (shared_->follow && parts.size() > 1) {
    follow_all(parts);
  } else {
    print_in_turn(parts, watch);
  }
  const std::lock_guard lock(shared_->mutex);
  if (shared_->fatal) std::rethrow_exception(shared_->fatal);
  shared_->output.finish();
  if (shared_->failure) throw Error(*shared_->failure);
}

}  // namespace slipway::cli
