#pragma once

#include "tests/bench/subject_tree.hpp"

namespace slipway::bench {

/// Makes the kernel read the programs and libraries of the tree, and the built programs of
/// helpers/, from the disk again, as after a boot. The way a file came into the page cache (written
/// by a linker or an installer) changes the start time by a tenth. Keeps pages that cannot be
/// dropped.
void reread_from_disk(const SubjectTree& tree);

}  // namespace slipway::bench
