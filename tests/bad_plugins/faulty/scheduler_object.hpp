// The object behind the faulty scheduler's handle, and what all of its functions need.
#pragma once

#include <map>
#include <optional>
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
};
inline Scheduler& me(slipway_scheduler* self) { return *reinterpret_cast<Scheduler*>(self); }

inline std::map<std::string, StoredApp>& memory() {
  static std::map<std::string, StoredApp> apps;
  return apps;
}

inline std::optional<StoredApp> load(slipway_scheduler* self, slipway_str id) {
  if (broken("memory_only")) {
    const auto found = memory().find(abi::str(id));
    return found == memory().end() ? std::nullopt : std::optional<StoredApp>(found->second);
  }
  return me(self).store.load(abi::str(id));
}

inline slipway_status fail(slipway_scheduler* self, slipway_error* err, slipway_status code,
                           std::string_view why) {
  if (broken("reads_error")) *reinterpret_cast<volatile int*>(err) = 1;
  me(self).host->error_set(err, code, abi::view(why), {nullptr, 0}, {nullptr, 0});
  return code;
}

inline bool is_terminal(std::int32_t state) { return state >= 4 && state <= 6; }

}  // namespace faulty
