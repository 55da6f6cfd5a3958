// Whether this host is configured for a Slurm cluster, found out without asking it or the DNS.
#pragma once

namespace slipway::slurm {

/// Returns false where Slurm's commands could find a cluster by the DNS alone: neither SLURM_CONF
/// nor SLURM_CONF_SERVER is set, none of the usual places has a slurm.conf, and neither slurmd nor
/// sackd has fetched one (/run/slurm/conf). True also where squeue is not a distribution's: the
/// path of its slurm.conf was chosen when it was built, and is not known.
bool may_have_cluster();

}  // namespace slipway::slurm
