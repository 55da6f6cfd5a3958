// The object to which the faulty scheduler's `slipway_scheduler` belongs, and what all of its
// functions need.
#pragma once

#include <unistd.h>

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "slipway/abi/scheduler.h"
#include "slipway/detail/views.hpp"
#include "tests/bad_plugins/faulty/app_store.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"

namespace faulty {

namespace abi = slipway::abi;

struct Scheduler {
  slipway_scheduler base;
  const slipway_host* host;
  AppStore store;
  std::string session;
};
inline Scheduler& me(slipway_scheduler* self) { return *reinterpret_cast<Scheduler*>(self); }

/// Returns the ids of the apps that this process has submitted.
inline std::set<std::string>& submitted_here() {
  static std::set<std::string> ids;
  return ids;
}

/// Returns the number of iterators that wait in log_next.
inline std::atomic<int>& waiting_iterators() {
  static std::atomic<int> count{0};
  return count;
}

/// Returns the app with this id, or nothing.
inline std::optional<StoredApp> load(slipway_scheduler* self, slipway_str id) {
  check_name(abi::text(id));
  if (broken("memory_only") && submitted_here().count(abi::str(id)) == 0) return std::nullopt;
  return me(self).store.load(abi::str(id));
}

/// Sets the error of a call, and returns its code.
inline slipway_status fail(slipway_scheduler* self, slipway_error* err, slipway_status code,
                           std::string_view why) {
  if (broken("writes_error")) *reinterpret_cast<volatile int*>(err) = 1;
  me(self).host->error_set(err, code, abi::view(why), {nullptr, 0}, {nullptr, 0});
  return code;
}

/// Returns the call as C++, only for its cancellation and its deadline.
inline slipway::Call limits_of(slipway_scheduler* self, const slipway_call* call) {
  return slipway::Call(call, me(self).host, nullptr);
}

/// Begins a call that may wait for an engine: returns an error if the call has to end at once.
inline slipway_status begin(slipway_scheduler* self, const slipway_call* call, slipway_error* err) {
  const auto now = [](clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  const slipway_host& host = *me(self).host;
  // As a function that waits in a loop of poll(): it wakes for cancel_fd, and waits again.
  while (host.cancel_requested(call->cancel) != 0 && broken("ignores_cancel")) ::usleep(1000);
  if (host.cancel_requested(call->cancel) != 0)
    return fail(self, err, SLIPWAY_E_CANCELLED, "the call was cancelled");
  if (call->deadline_ns == 0) return SLIPWAY_OK;
  if (broken("reads_deadline_as_realtime") && now(CLOCK_REALTIME) > call->deadline_ns)
    return fail(self, err, SLIPWAY_E_TIMEOUT, "the deadline has passed");
  const bool is_over = now(CLOCK_MONOTONIC) > call->deadline_ns;
  // With unsigned numbers, the time left until a past deadline is centuries.
  while (is_over && broken("wraps_the_time_left")) ::usleep(1000);
  if (is_over) return fail(self, err, SLIPWAY_E_TIMEOUT, "the deadline has passed");
  return SLIPWAY_OK;
}

inline bool is_terminal(std::int32_t state) {
  return state == SLIPWAY_STATE_SUCCEEDED || state == SLIPWAY_STATE_FAILED ||
         state == SLIPWAY_STATE_CANCELLED;
}

}  // namespace faulty
