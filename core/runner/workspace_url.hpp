// Builds the URL of a workspace from the form in a scheduler's manifest, such as
// `image://${dir}?from=${image}`, and a directory.
#pragma once

#include <string>

#include "slipway/options.hpp"
#include "slipway/run_opts.hpp"

namespace slipway {

/// Returns `form` with its macros replaced: `${dir}` by `path`, which must be percent-encoded,
/// `${image}` by `image`, and `${NAME}` by the text of the run option NAME, both of which it
/// encodes. An option without a value is empty; a macro without `}` stays. Throws Error kConfig for
/// an option that `declared` does not have.
std::string workspace_url(const std::string& form, const std::string& path,
                          const std::string& image, const RunOpts& declared, const Cfg& cfg);

}  // namespace slipway
