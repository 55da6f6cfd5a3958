// Slurm's short form for many hosts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::slurm {

/// Returns the hosts of a list such as "n[1-3,08-10],gpu7", in order; "08" keeps its zero. A part
/// of the list with a range that it cannot read, such as "n[1-x]", becomes a single host, and so
/// does a part with which the list would have more hosts than any cluster.
std::vector<std::string> expand_hosts(std::string_view list);

}  // namespace slipway::slurm
