// Mounts in the one-line form of TorchX and Docker: `type=bind,src=/data,dst=/data,readonly`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"

namespace slipway::spec {

/// The mounts that a flat list of options describes, as TorchX's `parse_mounts`: every `type=`
/// starts a new mount; aliases are destination/dst/target, source/src, read_only/readonly (whatever
/// its value), perm; the last one of equals wins. A leading `~` or `~/` in the source of a bind
/// mount is the home directory (`$HOME`); `~user` stays as it is.
///
/// Throws Error(kInvalid) for an unknown option or type, options before the first type, a missing
/// src or dst, or permissions other than r, w and m.
std::vector<Mount> parse_mounts(const std::vector<std::string>& options);

/// The same for one string with commas between the options. Paths with commas need the table form.
std::vector<Mount> parse_mount_string(std::string_view text);

}  // namespace slipway::spec
