// The names of records that are being made or removed.
#pragma once

#include <string>

namespace slipway::local {

/// What the names of all drafts of this machine begin with. A launch removes the drafts that its
/// machine's dead processes left; it cannot see the locks of another machine's drafts.
std::string draft_prefix();

/// The name under which the record of an app is put together and taken apart; cut when it would be
/// too long for a file name.
std::string draft_name(const std::string& app_id);

}  // namespace slipway::local
