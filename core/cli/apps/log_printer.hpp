// Prints the logs of one app or of several.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/cli/apps/event_lines.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/logs/log_output.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// The logs that one reader reads: all chosen logs of an app, or those of one attempt.
struct LogPart {
  AppHandle app;
  std::uint32_t number = 0;  ///< the index of the app in LineStyle::apps
  LogQuery query;
  bool is_attempt = false;  ///< the times in `query` are those of an attempt
};

/// Prints logs to standard output. Not thread safe.
class LogPrinter {
 public:
  /// Starts a watch that may write whole JSON documents between the lines with the given function,
  /// from any thread. Destroying the result ends the watch.
  using Watch = std::function<std::shared_ptr<void>(const EventLines::Write&)>;

  /// Throws Error kUsage for a bad regex.
  LogPrinter(Invocation& invocation, logs::LogOutputOptions options);

  /// Prints the parts: one after the other, or with LogOutputOptions::follow all at the same time
  /// until every app has ended. If there is a single part, calls `watch` and keeps its result while
  /// it reads the part. If one of several parts cannot be read, prints the others and then throws
  /// the error of that part. Throws at once if standard output cannot be written. Must be called
  /// only once.
  void print(const std::vector<LogPart>& parts, const Watch& watch = {});

  /// Adds an error of one of the apps. print() throws the first error at the end.
  void add_failure(const Error& error, const AppHandle& app);

  const logs::LogOutput& output() const;

 private:
  struct Shared;
  class Followers;

  AppLogs open(const LogPart& part);
  void print_in_turn(const std::vector<LogPart>& parts, const Watch& watch);
  void follow_all(const std::vector<LogPart>& parts);

  Invocation& invocation_;
  std::shared_ptr<Shared> shared_;  // also owned by threads, which may outlive this object
};

}  // namespace slipway::cli
