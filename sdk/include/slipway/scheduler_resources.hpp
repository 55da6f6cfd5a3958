// Resolves resources that differ between schedulers.
#pragma once

#include <string_view>
#include <utility>

#include "slipway/app.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Returns the app for `scheduler`. Each role whose `scheduler_resources` have an entry for it gets
/// that entry as its `resource`; `scheduler_resources` of all roles become empty. The host calls it
/// before a dry run, so schedulers see only one resource for each role.
inline AppDef for_scheduler(AppDef app, std::string_view scheduler) {
  for (Role& role : app.roles) {
    if (const Resource* special = find(role.scheduler_resources, scheduler))
      role.resource = *special;
    role.scheduler_resources.clear();
  }
  return app;
}

}  // namespace sdk_1_0
}  // namespace slipway
