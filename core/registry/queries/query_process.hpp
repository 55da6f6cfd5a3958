// Questions to plug-ins in processes of their own, where a crash, a hang or a call of exit() costs
// the answer and nothing else.
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

/// What the code in a query process may send to the command while it runs.
class QueryReplies {
 public:
  explicit QueryReplies(int fd) : fd_(fd) {}
  /// Sends one reply; what was sent counts even when the process crashes later.
  void reply(std::string_view bytes) const;
  /// Sends a message of the plug-in for the command's own log.
  void log(LogLevel level, std::string_view message) const;

 private:
  int fd_;
};

struct PluginQuery {
  std::string plugin_id;
  std::string version;  ///< may be empty
  /// Runs in the query process; what it throws as an Error becomes the answer's.
  std::function<void(const QueryReplies& line)> ask;
};

struct QueryAnswer {
  struct Message {
    LogLevel level;
    std::string text;
  };

  std::vector<std::string> replies;
  std::vector<Message> messages;
  std::optional<Error> error;  ///< what `ask` threw, or why it could not run
  /// How the plug-in ended the process, or that it did not answer: "org.example.x 1.2.0 crashed
  /// (SIGSEGV) in list". Empty: `ask` came to its end.
  std::string failure;
  std::string printed;  ///< the start of what was written to standard output and error
};

/// Asks all questions at the same time (sixteen processes at most) and calls `answered` with the
/// place of each question, in the order in which the answers are complete. A question that takes
/// longer than `limit` is given up: its process and the processes that it started are killed.
///
/// The calling process must have one thread: the processes are forks of it. Where the system gives
/// no descriptor or process, the answer's error is kUnavailable.
void run_queries(const std::vector<PluginQuery>& questions, std::chrono::milliseconds limit,
                 const std::function<void(std::size_t place, QueryAnswer answer)>& answered);

/// Returns true when the calling process has one thread, and so may be forked to run plug-ins.
bool process_has_one_thread();

/// "SIGSEGV", or "signal 42".
std::string signal_text(int signal);

}  // namespace slipway::registry
