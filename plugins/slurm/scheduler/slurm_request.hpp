// What `slurm` would submit.
#pragma once

#include <string>
#include <utility>

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

class SlurmRequest : public Request {
 public:
  SlurmRequest(JobPlan plan, AppDef app) : plan_(std::move(plan)), app_(std::move(app)) {}

  /// The command line and the script.
  void print_text(const Sink& sink) const override;
  /// `cmd`, `max_retries`, `job_dir`, `log_dir`, `mark`, `shape`, `script`, and the parts:
  /// `replicas` in TorchX's shape with TorchX's keys, else `roles`, where texts hold
  /// `${replica_id}` for what the job fills in.
  void print_json(const Sink& sink) const override;

  const JobPlan& plan() const { return plan_; }
  const AppDef& app() const { return app_; }

 private:
  JobPlan plan_;
  AppDef app_;  ///< as the host gave it
};

}  // namespace slipway::slurm
