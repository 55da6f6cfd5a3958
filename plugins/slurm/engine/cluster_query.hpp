// Asking the cluster for what the shape of a job depends on.
#pragma once

#include <chrono>

#include "plugins/slurm/script/cluster_facts.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Asks sinfo, and for an array scontrol. Where they are missing or fail, assumes what is usual: a
/// dry run works without a cluster. Throws Error kCancelled, and kInvalid for a version that is not
/// one.
ClusterFacts query_cluster(bool for_array, const Call& call);

/// The cluster's MessageTimeout, how long its commands wait for the controller; Slurm's default of
/// 10 s where the controller does not answer. Throws Error kCancelled.
std::chrono::seconds query_message_timeout(const Call& call);

}  // namespace slipway::slurm
