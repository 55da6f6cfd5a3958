// The host as a plug-in sees it, in C++.
#pragma once

#include <string>
#include <string_view>

#include "slipway/abi/host.h"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway {

enum class LogLevel : std::int32_t {
  kTrace = SLIPWAY_LOG_TRACE,
  kDebug = SLIPWAY_LOG_DEBUG,
  kInfo = SLIPWAY_LOG_INFO,
  kWarning = SLIPWAY_LOG_WARNING,
  kError = SLIPWAY_LOG_ERROR,
};

/// The context of one call of the host: whether it wants the call to stop, by when it must be done,
/// and where services of the host that are used on its behalf record their errors. Valid during the
/// call.
class Call {
 public:
  Call() = default;
  Call(const slipway_call* call, const slipway_host* host, slipway_error* err)
      : call_(call != nullptr ? abi::widen(call) : abi::sized<slipway_call>()),
        host_(host),
        error_(err) {}

  /// True once the host wants the call to stop. [any thread]
  bool cancelled() const {
    return call_.cancel != nullptr && host_->cancel_requested(call_.cancel) != 0;
  }
  /// For poll(): readable once cancelled; -1 when there is none. Neither read nor close it.
  int cancel_fd() const { return call_.cancel != nullptr ? host_->cancel_fd(call_.cancel) : -1; }
  /// CLOCK_MONOTONIC nanoseconds, 0 when there is no deadline.
  std::int64_t deadline_ns() const { return call_.deadline_ns; }
  /// Throws Error kCancelled once cancelled.
  void check() const {
    if (cancelled()) throw Error(Code::kCancelled, "cancelled");
  }
  /// The call itself, for handing it on to another plug-in's object.
  const slipway_call& context() const { return call_; }
  slipway_error* error() const { return error_; }

 private:
  slipway_call call_ = abi::sized<slipway_call>();
  const slipway_host* host_ = nullptr;
  slipway_error* error_ = nullptr;
};

/// The host's services. A copy is as good as the original; valid as long as the process. [any
/// thread]
class Host {
 public:
  Host() = default;
  explicit Host(const slipway_host* table) : table_(table) {}

  const slipway_host* table() const { return table_; }

  /// Writes one message to the host's log; the plug-in's id is added by the host.
  void log(LogLevel level, std::string_view message) const {
    if (table_ == nullptr || !SLIPWAY_HAS(table_, slipway_host, log) || table_->log == nullptr)
      return;
    table_->log(table_, static_cast<std::int32_t>(level), abi::view(message));
  }

  /// The service with this id, or nullptr where the host lacks it.
  template <class T>
  const T* extension(std::string_view id) const {
    if (table_ == nullptr || !SLIPWAY_HAS(table_, slipway_host, get_extension)) return nullptr;
    if (table_->get_extension == nullptr) return nullptr;
    return static_cast<const T*>(table_->get_extension(table_, abi::view(id)));
  }

  /// `$XDG_STATE_HOME/slipway`, or its default; see abi/host.h. Ends the call with the host's error
  /// when there is no home, throws Error kUnimplemented where the host does not offer the service.
  std::string state_dir(const Call& call) const {
    const auto* service = extension<slipway_host_state_dir>(SLIPWAY_HOST_STATE_DIR);
    if (service == nullptr)
      throw Error(Code::kUnimplemented, "the host does not say where state is kept");
    std::string out;
    abi::ok(service->path(table_, &abi::assign, &out, call.error()));
    return out;
  }

 private:
  const slipway_host* table_ = nullptr;
};

/// What a provider is created with.
struct CreateArgs {
  std::string entry;        ///< which provider: one class may serve several
  std::string name;         ///< what users call it
  std::string session;      ///< the session that the object works for
  std::string config_json;  ///< a JSON object: [plugin.config] with the host's overrides
};

}  // namespace slipway
