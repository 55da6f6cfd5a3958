// The object behind a C++ scheduler's C handle.
#pragma once

#include <memory>

#include "slipway/scheduler.hpp"

namespace slipway::abi {

struct SchedulerObject {
  slipway_scheduler base;
  const slipway_host* host;
  std::unique_ptr<Scheduler> impl;
};
inline SchedulerObject& object(slipway_scheduler* self) {
  return *reinterpret_cast<SchedulerObject*>(self);
}

}  // namespace slipway::abi
