// The object behind the scheduler's handle, and what all of its functions need.
#pragma once

#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>

#include "app_store.hpp"
#include "slipway/abi/scheduler.h"
#include "slipway/detail/views.hpp"

namespace runner {

namespace abi = slipway::abi;

struct Scheduler {
  slipway_scheduler base;
  const slipway_host* host;
  AppStore store;
  std::string session;
};
inline Scheduler& me(slipway_scheduler* self) { return *reinterpret_cast<Scheduler*>(self); }

inline std::optional<StoredApp> load(slipway_scheduler* self, slipway_str id) {
  return me(self).store.load(abi::str(id));
}

inline slipway_status fail(slipway_scheduler* self, slipway_error* err, slipway_status code,
                           std::string_view why) {
  me(self).host->error_set(err, code, abi::view(why), {nullptr, 0}, {nullptr, 0});
  return code;
}

/// Begins a call that may wait for an engine: returns an error if the call has to end at once.
inline slipway_status begin(slipway_scheduler* self, const slipway_call* call, slipway_error* err) {
  if (me(self).host->cancel_requested(call->cancel) != 0)
    return fail(self, err, SLIPWAY_E_CANCELLED, "the call was cancelled");
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  if (call->deadline_ns == 0 || now_ns <= call->deadline_ns) return SLIPWAY_OK;
  return fail(self, err, SLIPWAY_E_TIMEOUT, "the deadline has passed");
}

inline bool is_terminal(std::int32_t state) { return state >= 4 && state <= 6; }

}  // namespace runner
