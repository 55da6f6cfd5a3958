// Records that commands here may read and must not change.
#pragma once

#include <string>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// Whose record `fixed` is, whose host name is `host`. Neither locks nor process numbers of another
/// machine mean anything here, and the format of a newer version may hold what this one would lose.
Foreign foreign_of(const StateFixed& fixed, const std::string& host);

/// The machine that `fixed` names.
MachineIdentity machine_of(const StateFixed& fixed, const std::string& host);

/// Throws kUnavailable, with the machine to ask, when `app` is a foreign record.
void require_own(const AppRef& ref, const AppSummary& app);

}  // namespace slipway::local
