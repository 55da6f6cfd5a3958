// Queries facts about the cluster: whether this machine may belong to one, and the facts that
// decide the shape of a job.
#pragma once

#include <chrono>

#include "plugins/slurm/script/cluster_facts.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Returns whether this machine may belong to a Slurm cluster, without asking a daemon or the DNS.
/// Returns false if only the DNS could lead Slurm's commands to a cluster: SLURM_CONF and
/// SLURM_CONF_SERVER are unset, no usual place has a slurm.conf, and neither slurmd nor sackd has
/// fetched one (/run/slurm/conf). Returns true if squeue is in another directory than /usr/bin and
/// /bin: it is then not a distribution's, and the path of its slurm.conf was chosen when it was
/// built.
bool may_have_cluster();

/// Asks sinfo and, for an array, scontrol. If a command is missing or fails, assumes usual values,
/// so that a dry run works without a cluster. Throws Error kCancelled, and kInvalid for a version
/// that it cannot read.
ClusterFacts query_cluster(bool for_array, const Call& call);

/// Returns the cluster's MessageTimeout, the time for which Slurm's commands wait for the
/// controller. If the controller does not answer, returns Slurm's default of 10 s. Throws Error
/// kCancelled.
std::chrono::seconds query_message_timeout(const Call& call);

}  // namespace slipway::slurm
