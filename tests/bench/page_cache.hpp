#pragma once

#include "tests/bench/subject_tree.hpp"

namespace slipway::bench {

/// Has the programs and libraries of the tree and the helpers read from the disk anew, as they are after a start of the
/// machine. How a file came into the page cache (written by a linker in one way, by an installer in another) makes a
/// tenth of the time that it takes to start. What cannot be read anew stays as it is.
void read_anew(const SubjectTree& tree);

}  // namespace slipway::bench
