// The URL of a directory as a scheduler's kind of workspace, from the form in its manifest.
#pragma once

#include <string>

#include "slipway/options.hpp"
#include "slipway/run_opts.hpp"

namespace slipway {

/// Returns `form` with `path`, which is percent-encoded, for `${dir}`. Encodes `image` for
/// `${image}`, and the text of the run option NAME for `${NAME}`; an option without a value is
/// empty. Throws Error kConfig for an option that `declared` does not have.
std::string workspace_url(const std::string& form, const std::string& path,
                          const std::string& image, const RunOpts& declared, const Cfg& cfg);

}  // namespace slipway
