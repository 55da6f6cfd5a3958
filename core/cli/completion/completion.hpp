// What the word at the cursor may become.
#pragma once

#include <string>
#include <vector>

#include "core/cli/completion/names.hpp"

namespace slipway::cli {

/// The candidates that start with `current`, sorted, each once; `words` stand before it, the
/// command's name not among them. Reads the configuration as the options among the words say. Never
/// throws: what is wrong with files, plug-ins and words means fewer candidates, and nothing is said
/// about it.
Candidates complete(const std::vector<std::string>& words, const std::string& current);

}  // namespace slipway::cli
