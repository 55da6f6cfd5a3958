// The object behind the C handle of a slipway::Scheduler.
#pragma once

#include <memory>

#include "slipway/scheduler.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct SchedulerObject {
  slipway_scheduler base;  // first: the C handle points to it, and object() casts it back
  const slipway_host* host;
  std::unique_ptr<Scheduler> impl;
};
inline SchedulerObject& object(slipway_scheduler* self) {
  return *reinterpret_cast<SchedulerObject*>(self);
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
