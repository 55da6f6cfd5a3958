// The `local.` keys in the metadata of a role.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

inline constexpr std::string_view kDependsOnKey = "local.depends_on";
inline constexpr std::string_view kReadyPrefix = "local.ready.";

/// The role's `local.` keys, those of nested tables (`local = { ready = { tcp = 80 } }`) as if they
/// were written flat (`local.ready.tcp`). Empty when there is no metadata.
boost::json::object local_keys(const Role& role);

/// Tells those that nobody reads as ignored.
void report_unknown_keys(const Role& role, const Scheduler::OnFinding& on_finding);

}  // namespace slipway::local
