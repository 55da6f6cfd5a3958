// The functions that an object of each kind must have: a host refuses an object that lacks one.
// `destroy`, also required, is not among them: without it, the host only leaks the object.
#pragma once

#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/workspace.h"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// Calls `visit(member, name)` for each required function of the table's kind, in the order of the
/// table.
template <class Visit>
void each_required(const slipway_scheduler_vtbl&, Visit visit) {
  using Table = slipway_scheduler_vtbl;
  visit(&Table::run_opts, "run_opts");
  visit(&Table::submit_dryrun, "submit_dryrun");
  visit(&Table::request_print, "request_print");
  visit(&Table::request_free, "request_free");
  visit(&Table::schedule, "schedule");
  visit(&Table::describe, "describe");
  visit(&Table::cancel, "cancel");
  visit(&Table::list, "list");
}
template <class Visit>
void each_required(const slipway_image_provider_vtbl&, Visit visit) {
  visit(&slipway_image_provider_vtbl::resolve, "resolve");
  visit(&slipway_image_provider_vtbl::fetch, "fetch");
}
template <class Visit>
void each_required(const slipway_named_resources_vtbl&, Visit visit) {
  visit(&slipway_named_resources_vtbl::list, "list");
}
template <class Visit>
void each_required(const slipway_components_vtbl&, Visit visit) {
  visit(&slipway_components_vtbl::list, "list");
  visit(&slipway_components_vtbl::build, "build");
}
template <class Visit>
void each_required(const slipway_workspace_vtbl&, Visit visit) {
  visit(&slipway_workspace_vtbl::plan, "plan");
  visit(&slipway_workspace_vtbl::build, "build");
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
