// The request of the scheduler `slurm`.
#pragma once

#include <string>
#include <utility>

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

class SlurmRequest : public Request {
 public:
  SlurmRequest(JobPlan plan, AppDef app) : plan_(std::move(plan)), app_(std::move(app)) {}

  /// Prints the command line, the directory of the logs and the script.
  void print_text(const Sink& sink) const override;
  /// Prints `cmd`, `max_retries`, `job_dir`, `log_dir`, `mark`, `shape`, `script`, and the parts.
  /// In TorchX's shape (Shape::kReplicas) the parts are `replicas` with TorchX's keys. Otherwise
  /// they are `roles`, whose texts have `${replica_id}` where the job fills in the number.
  void print_json(const Sink& sink) const override;

  const JobPlan& plan() const { return plan_; }
  const AppDef& app() const { return app_; }

 private:
  JobPlan plan_;
  AppDef app_;  ///< the app as the user defined it
};

}  // namespace slipway::slurm
