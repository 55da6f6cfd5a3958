// Asking the cluster for what the shape of a job depends on.
#pragma once

#include "plugins/slurm/script/cluster_facts.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Asks sinfo, and for an array scontrol. Where they are missing or fail, what is usual is assumed: a dry run works
/// without a cluster. Throws Error kCancelled, and kInvalid for a version that is not one.
ClusterFacts query_cluster(bool for_array, const Call& call);

}  // namespace slipway::slurm
