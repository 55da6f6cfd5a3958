#include "slipway/plugin.hpp"

#include "plugins/slurm/scheduler/slurm_scheduler.hpp"

SLIPWAY_PLUGIN("org.slipway.slurm", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::slurm::SlurmScheduler, "slurm", "jobs of a Slurm cluster"))
