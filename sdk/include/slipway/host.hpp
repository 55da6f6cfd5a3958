// The host for plug-ins in C++: its log, its services, and the context of each call.
#pragma once

#include <string>
#include <string_view>

#include "slipway/abi/host.h"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Levels of log messages.
enum class LogLevel : std::int32_t {
  kTrace = SLIPWAY_LOG_TRACE,
  kDebug = SLIPWAY_LOG_DEBUG,
  kInfo = SLIPWAY_LOG_INFO,
  kWarning = SLIPWAY_LOG_WARNING,
  kError = SLIPWAY_LOG_ERROR,
};

/// The context of one call of the host: its cancellation, its deadline, and the error object for
/// host services that the plug-in uses. Valid during the call.
class Call {
 public:
  Call() = default;
  Call(const slipway_call* call, const slipway_host* host, slipway_error* err)
      : given_(call),
        call_(call != nullptr ? abi::widen(call) : abi::sized<slipway_call>()),
        host_(host),
        error_(err) {}

  /// Returns whether the host has asked the call to stop. [any thread]
  bool cancelled() const {
    return call_.cancel != nullptr && host_->cancel_requested(call_.cancel) != 0;
  }
  /// Returns a descriptor for poll() that is readable if cancelled() is true, or -1 if the host
  /// never cancels the call. The host owns it: neither read nor close it. [any thread]
  int cancel_fd() const { return call_.cancel != nullptr ? host_->cancel_fd(call_.cancel) : -1; }
  /// Returns the deadline in nanoseconds of CLOCK_MONOTONIC, or 0 for none.
  std::int64_t deadline_ns() const { return call_.deadline_ns; }
  /// Throws Error kCancelled if cancelled() is true. Does not look at the deadline. [any thread]
  void check() const {
    if (cancelled()) throw Error(Code::kCancelled, "cancelled");
  }
  /// Returns the C context, to pass it to an object of another plug-in. It is the host's own
  /// context, which may have fields that this plug-in does not know.
  const slipway_call* context() const { return given_ != nullptr ? given_ : &call_; }
  /// Returns the error object for host services; may be null.
  slipway_error* error() const { return error_; }

 private:
  const slipway_call* given_ = nullptr;             ///< the host's own context; may be null
  slipway_call call_ = abi::sized<slipway_call>();  ///< its fields that this version knows
  const slipway_host* host_ = nullptr;
  slipway_error* error_ = nullptr;
};

/// The host. Copies are equivalent, and valid until the process ends. A Host without a table, or
/// with a table without functions, as in unit tests, has no services and drops log messages.
/// [any thread]
///
/// A function that "ends the call with the host's error" throws abi::Unwind: the host has the
/// message already, and the call returns the host's status. A plug-in must let this exception pass.
class Host {
 public:
  Host() = default;
  explicit Host(const slipway_host* table) : table_(table) {}

  /// Returns the C table, for calls of host services.
  const slipway_host* table() const { return table_; }

  /// Writes one message to the host's log. The host adds the plug-in's id.
  void log(LogLevel level, std::string_view message) const {
    if (table_ == nullptr || !SLIPWAY_HAS(table_, slipway_host, log) || table_->log == nullptr)
      return;
    table_->log(table_, static_cast<std::int32_t>(level), abi::view(message));
  }

  /// Returns the service with this id, or nullptr if the host does not have it.
  template <class T>
  const T* extension(std::string_view id) const {
    if (table_ == nullptr || !SLIPWAY_HAS(table_, slipway_host, get_extension)) return nullptr;
    if (table_->get_extension == nullptr) return nullptr;
    return static_cast<const T*>(table_->get_extension(table_, abi::view(id)));
  }

  /// Returns the directory for state; see slipway_host_state_dir. If the user has no home
  /// directory, ends the call with the host's error. Throws Error kUnimplemented if the host does
  /// not have the service.
  std::string state_dir(const Call& call) const {
    const auto* service = extension<slipway_host_state_dir>(SLIPWAY_HOST_STATE_DIR);
    if (service == nullptr)
      throw Error(Code::kUnimplemented, "the host has no directory for state");
    std::string out;
    abi::ok(service->path(table_, &abi::assign, &out, call.error()));
    return out;
  }

 private:
  const slipway_host* table_ = nullptr;
};

/// The arguments for the creation of a provider's object.
struct CreateArgs {
  std::string entry;    ///< the provider's name in the library; one class may serve several names
  std::string name;     ///< the provider's name for users
  std::string session;  ///< of the apps of a scheduler; for other kinds without a meaning
  /// A JSON object: [plugin.config] of the manifest, overridden by [plugins."ID"] of the host's
  /// configuration files, and these by the provider's own `config` in the manifest. Config
  /// (config.hpp) reads it.
  std::string config_json;
};

}  // namespace sdk_1_0
}  // namespace slipway
