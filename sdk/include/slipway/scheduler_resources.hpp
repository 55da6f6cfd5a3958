// Resources that differ from one scheduler to the next.
#pragma once

#include <string_view>
#include <utility>

#include "slipway/app.hpp"

namespace slipway {

/// The app as it is meant for `scheduler`: a role that requires something special there has it as
/// its `resource`, and no role has `scheduler_resources` any more. The host calls it before a dry
/// run; schedulers see one resource only.
inline AppDef for_scheduler(AppDef app, std::string_view scheduler) {
  for (Role& role : app.roles) {
    if (const Resource* special = find(role.scheduler_resources, scheduler))
      role.resource = *special;
    role.scheduler_resources.clear();
  }
  return app;
}

}  // namespace slipway
