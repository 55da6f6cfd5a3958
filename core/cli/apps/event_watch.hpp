// Prints failures and waits of an app in a thread while a command reads the app's logs.
#pragma once

#include <memory>
#include <optional>

#include "core/cli/apps/event_lines.hpp"
#include "core/cli/apps/failure_lines.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/cli/terminal/plugin_thread.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Prints failures, retries and waits of an app when they happen, in a thread, until the app has
/// ended, the scheduler has an error, or this object is destroyed: as messages, or with --json as
/// documents. The thread uses the runner of the invocation; meanwhile the caller may only use log
/// iterators (see Threads in abi/base.h).
class EventWatch {
 public:
  /// Starts the thread, which passes documents to `write`. `filter` chooses the replicas. Does not
  /// print the failures that `known` shows; `known` may be null. Borrows `invocation`.
  /// Throws Error(kUnavailable) if no descriptor is left, and Error(kTemporary) if no thread can be
  /// started.
  EventWatch(Invocation& invocation, const AppHandle& handle, const ReplicaFilter& filter,
             const EventLines::Write& write, const Description* known);
  /// Ends the thread, which first prints the events since its last query. If the scheduler does not
  /// answer within five seconds, leaves the thread running.
  ~EventWatch();
  EventWatch(const EventWatch&) = delete;
  EventWatch& operator=(const EventWatch&) = delete;

 private:
  struct Shared;
  static void follow(Shared& shared);

  std::shared_ptr<Shared> shared_;  // also owned by the thread, which may outlive this object
  std::optional<PluginThread> thread_;
};

}  // namespace slipway::cli
