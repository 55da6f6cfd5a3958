// Turns an app and run options into the plan of a job.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plugins/slurm/script/cluster_facts.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/script/slurm_options.hpp"
#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

/// The session of a job, and the place of its record.
struct PlanPlace {
  std::string session;
  std::string mark;        ///< JobPlan::mark
  std::string state_root;  ///< records are `<state_root>/<mark>`
};

/// Builds the job, and reports the fields of the app that it will ignore. Throws Error kInvalid for
/// an app without roles, for an array of several roles or of more replicas than the cluster allows,
/// for services without other roles or in the shape kReplicas, for an app that needs more nodes
/// than its partition has, for a macro of a port that is 0 or, in an array, of a host, and for
/// texts that are too long.
JobPlan build_plan(const AppDef& app, const SlurmOptions& options, const ClusterFacts& facts,
                   const PlanPlace& place, const Scheduler::OnFinding& on_finding);

/// Returns the fields of apps that jobs act on, with a condition for those on which a job with
/// these options does not act.
std::vector<AppField> acted_on(const SlurmOptions& options);

/// Returns the name of the variable with the host of the app's first replica, for `${rank0_env}`.
/// The replicas of an array get no such variable; build_plan() reports that.
const char* rank0_variable(Shape shape);

}  // namespace slipway::slurm
