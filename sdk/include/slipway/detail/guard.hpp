// Stops exceptions at the boundary (rule R5 in abi/base.h).
#pragma once

#include <exception>
#include <new>
#include <string>
#include <type_traits>

#include "slipway/abi/host.h"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// An exception that carries a status to guard(), which returns it. The host already has the
/// reason: its callback asked the plug-in to stop, or its service failed.
struct Unwind {
  slipway_status status;
};

/// Throws Unwind if a callback or service of the host returned a negative status.
inline void ok(slipway_status status) {
  if (status < 0) throw Unwind{status};
}

/// Passes the reason of a failure to the host. Does nothing if `err` or `host` is null, or if the
/// host has no error_set, as in some unit tests.
inline void record(const slipway_host* host, slipway_error* err, slipway_status code,
                   std::string_view message, std::string_view hint = {},
                   std::string_view details = {}) noexcept {
  if (err == nullptr || host == nullptr || !SLIPWAY_HAS(host, slipway_host, error_set)) return;
  if (host->error_set != nullptr)
    host->error_set(err, code, view(message), view_or_absent(hint), view_or_absent(details));
}

/// Runs `body`, which returns void (for SLIPWAY_OK) or a slipway_status. Converts an exception to a
/// status, and sets its message in `err`. Never throws.
template <class F>
slipway_status guard(const slipway_host* host, slipway_error* err, F&& body) noexcept {
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return SLIPWAY_OK;
    } else {
      return body();
    }
  } catch (const Unwind& u) {
    return u.status;
  } catch (const Error& e) {
    try {
      const std::string message = e.where().empty() ? e.message() : e.where() + ": " + e.message();
      record(host, err, static_cast<slipway_status>(e.code()), message, e.hint(), e.details());
    } catch (...) {
      record(host, err, static_cast<slipway_status>(e.code()), "out of memory");
    }
    return static_cast<slipway_status>(e.code());
  } catch (const std::bad_alloc&) {
    record(host, err, SLIPWAY_E_INTERNAL, "out of memory");
  } catch (const std::exception& e) {
    record(host, err, SLIPWAY_E_INTERNAL, e.what());
  } catch (...) {
    record(host, err, SLIPWAY_E_INTERNAL, "an exception of unknown type");
  }
  return SLIPWAY_E_INTERNAL;
}

/// A slipway_on_str that assigns to the std::string `ctx`.
inline slipway_status assign(void* ctx, slipway_str value) noexcept {
  try {
    static_cast<std::string*>(ctx)->assign(text(value));
    return SLIPWAY_OK;
  } catch (...) {
    return SLIPWAY_E_INTERNAL;
  }
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
