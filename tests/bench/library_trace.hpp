#pragma once

#include <string>
#include <vector>

#include "tests/bench/child_process.hpp"

namespace slipway::bench {

/// The file names of the shared libraries that a command initialises while it runs, in order,
/// without libc and the dynamic linker; one that was opened after the program had been
/// started (dlopen) is marked " (dlopen)". The dynamic linker writes down what it does, into
/// `scratch_dir`. Throws std::runtime_error when the command fails; empty for a static program.
std::vector<std::string> traced_libraries(const Argv& argv, const std::string& scratch_dir);

}  // namespace slipway::bench
