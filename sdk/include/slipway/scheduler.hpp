// What a scheduler plug-in implements in C++. The functions are those of abi/scheduler.h, where
// their contracts stand; here results are returned and errors are thrown (slipway::Error). Export
// with SLIPWAY_PLUGIN (plugin.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/abi/scheduler.h"
#include "slipway/host.hpp"
#include "slipway/logs.hpp"
#include "slipway/provider.hpp"
#include "slipway/run_opts.hpp"
#include "slipway/signals.hpp"
#include "slipway/status.hpp"

namespace slipway {

/// What would be submitted; made by Scheduler::submit_dryrun and known in full only to the
/// scheduler's own subclass.
class Request {
 public:
  virtual ~Request() = default;
  using Sink = std::function<void(std::string_view)>;
  /// For a person; in one or more pieces.
  virtual void print_text(const Sink& sink) const = 0;
  /// As one JSON object; in one or more pieces.
  virtual void print_json(const Sink& sink) const = 0;
  /// Applies a JSON merge patch to the JSON form and adopts the result; throws kInvalid and changes
  /// nothing when the result is not a request.
  virtual void patch(std::string_view /*patch_json*/) {
    throw Error(Code::kUnimplemented, "requests of this scheduler cannot be changed");
  }
};

/// Something about the app that the scheduler will ignore or refuse; `role` empty: it concerns the
/// whole app.
struct Finding {
  enum class Kind : std::int32_t {
    kIgnored = SLIPWAY_FINDING_IGNORED,
    kRefused = SLIPWAY_FINDING_REFUSED
  };
  Kind kind = Kind::kIgnored;
  std::string role;
  std::string field;
  std::string why;
};

struct ScheduleOptions {
  bool foreground = false;
  int owner_fd = -1;  ///< borrowed during the call
};

struct CancelOptions {
  bool now = false;
  std::optional<std::int64_t> grace_ms;  ///< none: as the app was submitted with
};

/// Which changes a subscription tells: the app's own state, or its replicas', too.
enum class EventScope : std::int32_t {
  kState = SLIPWAY_EVENTS_STATE,
  kReplicas = SLIPWAY_EVENTS_REPLICAS
};

/// A subscription to the changes of one app.
class Events {
 public:
  virtual ~Events() = default;
  /// For poll(); the same for the object's life.
  virtual int fd() const = 0;
  /// Makes fd() unreadable until the next change; false when there will be none.
  virtual bool drain() = 0;
};

/// The logs of one app, being read.
class LogIterator {
 public:
  virtual ~LogIterator() = default;
  enum class Next : std::int32_t {
    kChunks = SLIPWAY_OK,
    kEnd = SLIPWAY_END,
    kTimeout = SLIPWAY_AGAIN
  };
  using Sink = std::function<void(const LogChunk&)>;
  /// Delivers what there is, waiting at most `timeout_ms` (-1: as long as it takes). Throws
  /// kCancelled after cancel().
  virtual Next next(std::int64_t timeout_ms, const Sink& sink) = 0;
  /// [any thread] Lets a next() that waits, and all later ones, end soon.
  virtual void cancel() noexcept {}
};

class Scheduler : public Provider {
 public:
  using Provider::Provider;

  /// SLIPWAY_SCHEDULER_* bits that hold for the whole class; a subclass may hide it with its own
  /// constant.
  static constexpr std::uint32_t kFlags = 0;

  virtual RunOpts run_opts() { return {}; }
  using OnFinding = std::function<void(const Finding&)>;
  virtual std::unique_ptr<Request> submit_dryrun(const AppDef& app, const Cfg& cfg,
                                                 const OnFinding& on_finding, const Call& call) = 0;
  /// Returns the app's id.
  virtual std::string schedule(const Request& request, const ScheduleOptions& options,
                               const Call& call) = 0;
  virtual std::optional<Description> describe(std::string_view app_id, std::uint32_t want,
                                              const Call& call) = 0;
  /// submit_dryrun() and schedule() in one, as TorchX's Scheduler.submit; for code that has the
  /// scheduler in its hands.
  std::string submit(const AppDef& app, const Cfg& cfg, const Call& call) {
    const OnFinding dropped = [](const Finding&) {};
    const std::unique_ptr<Request> request = submit_dryrun(app, cfg, dropped, call);
    if (request == nullptr) throw Error(Code::kInternal, "submit_dryrun made no request");
    return schedule(*request, {}, call);
  }
  virtual bool exists(std::string_view app_id, const Call& call) {
    return describe(app_id, 0, call).has_value();
  }
  virtual void cancel(std::string_view app_id, const CancelOptions& options, const Call& call) = 0;
  /// Sends a signal to replicas that run, and returns a result for each replica that the order
  /// names; see abi/signal.h.
  virtual std::vector<SignalResult> signal(const SignalOrder& /*order*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this scheduler sends no signals");
  }
  virtual void delete_app(std::string_view /*app_id*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this scheduler does not delete apps");
  }
  virtual std::vector<ListItem> list(const Call& call) = 0;
  /// nullptr: this scheduler has no events; the host polls.
  virtual std::unique_ptr<Events> events_open(std::string_view /*app_id*/, EventScope /*scope*/,
                                              const Call& /*call*/) {
    return nullptr;
  }
  virtual std::unique_ptr<LogIterator> log_open(const LogQuery& /*query*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this scheduler keeps no logs");
  }
  /// Called once before the destructor, when the host is done with the object; may release what
  /// must not wait for the destructors of members. Must not throw.
  virtual void close() noexcept {}
  /// An additional C interface by its id, or nullptr.
  virtual const void* extension(std::string_view /*id*/) { return nullptr; }
};

}  // namespace slipway
