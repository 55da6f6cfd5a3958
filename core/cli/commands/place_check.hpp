// What `plugin doctor` says about directories: of plug-ins, of configuration, of records.
#pragma once

#include <vector>

#include "core/cli/invocation/invocation.hpp"

namespace slipway::cli {

/// Returns warnings about directories above those that Slipway uses which others may write to,
/// about files of the site that other users cannot read (looked at by root alone), and about
/// records of local apps on a network file system. Loads no plug-in.
std::vector<spec::Problem> check_places(Invocation& invocation);

}  // namespace slipway::cli
