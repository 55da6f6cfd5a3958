// Calls plug-ins in child processes, where a crash, a hang or a call of exit() costs only the
// answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::registry {

/// The pipe from a query process to the command.
class QueryPipe {
 public:
  explicit QueryPipe(int fd) : fd_(fd) {}
  /// Sends one reply, which the command receives even if the process crashes later. If the command
  /// has ended, this and log() end the process. In a fork of the process, they do nothing.
  /// [any thread]
  void reply(std::string_view bytes) const;
  /// Sends a message of the plug-in for the command's log.
  void log(LogLevel level, std::string_view message) const;

 private:
  int fd_;
};

/// One query process to start.
struct PluginQuery {
  std::string plugin_id;
  std::string version;  ///< may be empty
  /// Runs in the query process. An exception that it throws becomes QueryAnswer::error, with the
  /// code kInternal if it is not an Error.
  std::function<void(const QueryPipe& pipe)> ask;
};

/// The outcome of one query.
struct QueryAnswer {
  struct Message {
    LogLevel level;
    std::string text;
  };

  std::vector<std::string> replies;
  std::vector<Message> messages;
  /// The exception of `ask`, or the reason why it could not run. kTimeout if the query was not
  /// complete at the limit of limit_calls() (call_context.hpp).
  std::optional<Error> error;
  /// How the process failed: "org.example.x 1.2.0 crashed (SIGSEGV) in list", or that it exited,
  /// that its answer was late, damaged or too large. Empty if `error` is set or `ask` returned.
  std::string failure;
  std::string printed;  ///< the first bytes written to standard output and error
};

/// Runs all queries at the same time, in at most sixteen processes, and calls `answered` with the
/// index of each query as soon as its answer is complete. Kills the process group of a query that
/// takes longer than `limit`, or than time_until_call_limit() (call_context.hpp) if that is less.
/// Starts no query after the limit of limit_calls().
///
/// The calling process must have only one thread, because the query processes are forks of it. If
/// the system has no descriptor or process left, waits for a running query to end; without one, the
/// error of the answer is kUnavailable. An answer of more than 256 MiB, or one that cannot be
/// decoded (query_message.hpp), is a failure of its process.
void run_queries(const std::vector<PluginQuery>& queries, std::chrono::milliseconds limit,
                 const std::function<void(std::size_t index, QueryAnswer answer)>& answered);

/// Returns whether the calling process has only one thread, as run_queries() requires.
bool process_has_one_thread();

}  // namespace slipway::registry
