// The base class of schedulers; see abi/scheduler.h for the contracts of the functions. Functions
// return their results and throw slipway::Error. SLIPWAY_PLUGIN (plugin.hpp) exports a scheduler.
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
inline namespace sdk_1_0 {

/// A request to run an app, which Scheduler::submit_dryrun returns. Each scheduler derives its own
/// class.
class Request {
 public:
  virtual ~Request() = default;
  using Sink = std::function<void(std::string_view)>;
  /// Passes the consecutive pieces of a text for users, which ends with a line end, to `sink`.
  virtual void print_text(const Sink& sink) const = 0;
  /// Passes the consecutive pieces of one JSON object to `sink`.
  virtual void print_json(const Sink& sink) const = 0;
  /// Applies a JSON merge patch (RFC 7386) to the JSON form of the request and replaces the request
  /// with the result. If the result is not a valid request, throws kInvalid and changes nothing.
  virtual void patch(std::string_view /*patch_json*/) {
    throw Error(Code::kUnimplemented, "requests of this scheduler cannot be changed");
  }
};

/// A field of an app or role that the scheduler will ignore or refuse. `role` is empty if the field
/// belongs to the app itself.
struct Finding {
  enum class Kind : std::int32_t {
    kIgnored = SLIPWAY_FINDING_IGNORED,
    kRefused = SLIPWAY_FINDING_REFUSED
  };
  Kind kind = Kind::kIgnored;
  std::string role;
  std::string field;  ///< its name in app files: "mounts", "resource.gpu"
  std::string why;    ///< the reason, for users
};

/// A field of apps that the scheduler acts on.
struct AppField {
  std::string name;  ///< one of the names that slipway_app_field lists
  /// Empty if the scheduler acts on the field with the run options of the call. Otherwise says, for
  /// users, when it would: "with -c gpus=lease".
  std::string condition;
};

/// An app that schedule() has submitted.
struct Submission {
  std::string app_id;
};

/// The byte that an owner writes to give its app up (abi/scheduler.h).
inline constexpr char kOwnerRelease = SLIPWAY_OWNER_RELEASE;

/// Options of schedule(). With `foreground`, the scheduler must cancel the app when `owner_fd`
/// reports end-of-file or hang-up, unless it has answered kOwnerRelease before.
struct ScheduleOptions {
  bool foreground = false;
  /// Valid during the call: the scheduler duplicates it, or lets a child process that is not a
  /// replica inherit it.
  int owner_fd = -1;
};

/// Options of cancel(). With `now`, there is no grace time.
struct CancelOptions {
  bool now = false;
  /// Milliseconds; nullopt: the grace time that the app was submitted with.
  std::optional<std::int64_t> grace_ms;
};

/// The changes that a subscription reports: those of the app's state, or also those of its
/// replicas.
enum class EventScope : std::int32_t {
  kState = SLIPWAY_EVENTS_STATE,
  kReplicas = SLIPWAY_EVENTS_REPLICAS
};

/// A subscription to the changes of one app.
class Events {
 public:
  virtual ~Events() = default;
  /// Returns a descriptor for poll(), which the object owns and never changes.
  virtual int fd() const = 0;
  /// Makes fd() unreadable until the next change. Returns false if no change will follow.
  virtual bool drain() = 0;
};

/// A reader of the logs of one app.
class LogIterator {
 public:
  virtual ~LogIterator() = default;
  enum class Next : std::int32_t {
    kChunks = SLIPWAY_OK,      ///< passed at least one chunk
    kEnd = SLIPWAY_END,        ///< passed everything; later calls also return kEnd
    kTimeout = SLIPWAY_AGAIN,  ///< the time has passed without a chunk
  };
  using Sink = std::function<void(const LogChunk&)>;
  /// Passes the available chunks to `sink`. If none is available, waits for one at most
  /// `timeout_ms` milliseconds (-1: without limit). Throws kCancelled after cancel().
  virtual Next next(std::int64_t timeout_ms, const Sink& sink) = 0;
  /// Makes a waiting next() and every later one end soon. The default does nothing, for iterators
  /// that never wait. [any thread]
  virtual void cancel() noexcept {}
};

/// A scheduler. Calls on one object never overlap.
class Scheduler : public Provider {
 public:
  using Provider::Provider;

  /// The SLIPWAY_SCHEDULER_* bits of the class. A subclass may define its own constant.
  static constexpr std::uint32_t kFlags = 0;

  /// Returns the run options, in the order in which users see them.
  virtual RunOpts run_opts(const Call& /*call*/) { return {}; }
  /// Returns the fields of apps that the scheduler acts on with these run options. nullopt: the
  /// scheduler has no such list, and submit_dryrun() reports the ignored fields.
  virtual std::optional<std::vector<AppField>> app_fields(const Cfg& /*cfg*/,
                                                          const Call& /*call*/) {
    return std::nullopt;
  }
  using OnFinding = std::function<void(const Finding&)>;
  /// Returns the request for `app`, without side effects. Never returns null.
  virtual std::unique_ptr<Request> submit_dryrun(const AppDef& app, const Cfg& cfg,
                                                 const OnFinding& on_finding, const Call& call) = 0;
  /// Submits the request. After an error, nothing remains; kOutcomeUnknown: the request may have
  /// been submitted.
  virtual Submission schedule(const Request& request, const ScheduleOptions& options,
                              const Call& call) = 0;
  /// Returns the parts of the description that `want` (SLIPWAY_WANT_*) selects, or nullopt for an
  /// unknown app. May throw kNotFound for an app whose record was deleted, to say why.
  virtual std::optional<Description> describe(std::string_view app_id, std::uint32_t want,
                                              const Call& call) = 0;
  /// Calls submit_dryrun(), drops its findings, and calls schedule(), like TorchX's
  /// Scheduler.submit. For code that owns the scheduler object.
  Submission submit(const AppDef& app, const Cfg& cfg, const Call& call) {
    const OnFinding drop = [](const Finding&) {};
    const std::unique_ptr<Request> request = submit_dryrun(app, cfg, drop, call);
    if (request == nullptr) throw Error(Code::kInternal, "submit_dryrun made no request");
    return schedule(*request, {}, call);
  }
  /// Returns whether the app exists. The default calls describe().
  virtual bool exists(std::string_view app_id, const Call& call) {
    try {
      return describe(app_id, 0, call).has_value();
    } catch (const Error& error) {
      if (error.code() != Code::kNotFound) throw;
      return false;
    }
  }
  /// Starts the cancellation of the app. Does nothing if the app has ended or does not exist.
  virtual void cancel(std::string_view app_id, const CancelOptions& options, const Call& call) = 0;
  /// Sends `order.signal` to the running replicas that `order` names, and returns a result for each
  /// named replica; see abi/signal.h.
  virtual std::vector<SignalResult> signal(const SignalOrder& /*order*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this scheduler sends no signals");
  }
  /// Deletes the record of a finished app; an unknown app is no error. Throws kPrecondition if the
  /// app has not finished.
  virtual void delete_app(std::string_view /*app_id*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this scheduler does not delete apps");
  }
  /// Returns at least the apps of this user that the query selects, newest first if possible.
  virtual std::vector<ListItem> list(const ListQuery& query, const Call& call) = 0;
  /// Subscribes to changes of the app. Returns nullptr if the scheduler has no events, so that the
  /// host polls describe(). Throws kNotFound for an unknown app.
  virtual std::unique_ptr<Events> events_open(std::string_view /*app_id*/, EventScope /*scope*/,
                                              const Call& /*call*/) {
    return nullptr;
  }
  /// Opens the logs of an app. Never returns null. Throws kNotFound for an unknown app, role or
  /// replica.
  virtual std::unique_ptr<LogIterator> log_open(const LogQuery& /*query*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this scheduler keeps no logs");
  }
  /// Called once before the destructor, for cleanup that must precede the destructors of members.
  /// Must not throw.
  virtual void close() noexcept {}
  /// Returns an additional C interface by its id, or nullptr. Valid for the lifetime of the object.
  virtual const void* extension(std::string_view /*id*/) { return nullptr; }
};

}  // namespace sdk_1_0
}  // namespace slipway
