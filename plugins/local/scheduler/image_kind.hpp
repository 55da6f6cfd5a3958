// What kind of thing an image is, from its name and from what is there.
#pragma once

#include <string>

namespace slipway::local {

/// The name of the provider for `image`, as the scheduler `local` chooses it:
///
/// | image | provider |
/// |--|--|
/// | empty, `.` | `cwd` |
/// | `NAME://…` | `NAME` |
/// | a directory | `dir` |
/// | a file that is called or starts like a tar or zip archive | `archive` |
///
/// Throws Error kInvalid for a path where nothing is, or something else. Changes nothing. [any
/// thread]
std::string provider_for(const std::string& image);

}  // namespace slipway::local
