#include "plugins/slurm/scheduler/slurm_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <utility>

#include "plugins/slurm/engine/cluster_query.hpp"
#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/engine/submission.hpp"
#include "plugins/slurm/logs/log_files.hpp"
#include "plugins/slurm/scheduler/app_listing.hpp"
#include "plugins/slurm/scheduler/app_lookup.hpp"
#include "plugins/slurm/scheduler/signal_order.hpp"
#include "plugins/slurm/scheduler/slurm_request.hpp"
#include "plugins/slurm/script/batch_script.hpp"
#include "plugins/slurm/script/plan_builder.hpp"
#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "plugins/slurm/state/record_access.hpp"
#include "sdk/support/absolute_path.hpp"
#include "sdk/support/blocked_signals.hpp"
#include "sdk/support/directory_maker.hpp"
#include "slipway/ids.hpp"

namespace slipway::slurm {

namespace {

namespace fs = std::filesystem;

void check_job_dir(const std::optional<std::string>& job_dir) {
  if (!job_dir) return;
  std::error_code error;
  if (fs::is_directory(*job_dir, error)) return;
  throw Error(Code::kNotFound, "run option job_dir: " + *job_dir + " is not a directory",
              "create it first, on a file system that the nodes share");
}

/// Creates the record of an app before its submission. The destructor removes the record unless
/// keep() was called.
class NewRecord {
 public:
  /// Throws Error kCantCreate, and then leaves no record.
  NewRecord(std::string state_root, const JobPlan& plan, const AppDef& app)
      : state_root_(std::move(state_root)) {
    // The time before the submission, because the job may run and end before sbatch answers.
    record_.submitted_at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                  std::chrono::system_clock::now().time_since_epoch())
                                  .count();
    record_.mark = plan.mark;
    record_.session = plan.session;
    record_.shape = plan.shape;
    record_.record_dir = plan.record_dir;
    record_.log_dir = plan.log_dir;
    record_.clusters = clusters_of(plan);
    record_.app = app;
    try {
      DirectoryMaker("state directory", kStateHint)
          .open_own_levels(state_root_, plan.mark + "/replicas");
      write_file(script_path(plan.record_dir), batch_script(plan));
      // The draft comes before the submission: if this process dies, `list` finds the job by its
      // mark.
      write_draft(state_root_, record_);
    } catch (const Error&) {
      discard_draft(state_root_, record_);
      throw;
    }
  }
  ~NewRecord() {
    if (!is_kept_) discard_draft(state_root_, record_);
  }
  NewRecord(const NewRecord&) = delete;
  NewRecord& operator=(const NewRecord&) = delete;

  void keep() { is_kept_ = true; }
  void complete(const std::string& app_id) {
    keep();
    record_.app_id = app_id;
    constexpr bool kKeepsDraftName = false;
    write_record(state_root_, record_, kKeepsDraftName);
  }

 private:
  std::string state_root_;
  JobRecord record_;
  bool is_kept_ = false;
};

/// Starts `work` in a thread that gets no signals.
template <class Work>
auto start_thread(const Work& work) {
  const BlockedSignals blocked;
  return std::async(std::launch::async, work);
}

/// The host's subscription to the states of a job.
class JobEvents : public Events {
 public:
  JobEvents(std::unique_ptr<QueueWatch::Subscription> job, std::string app_id,
            std::shared_ptr<FollowedApps> followed)
      : job_(std::move(job)), app_id_(std::move(app_id)), followed_(std::move(followed)) {
    followed_->add(app_id_);
  }
  ~JobEvents() override { followed_->remove(app_id_); }
  JobEvents(const JobEvents&) = delete;
  JobEvents& operator=(const JobEvents&) = delete;

  int fd() const override { return job_->fd(); }
  bool drain() override {
    job_->drain();
    return true;
  }

 private:
  std::unique_ptr<QueueWatch::Subscription> job_;
  std::string app_id_;
  std::shared_ptr<FollowedApps> followed_;
};

}  // namespace

std::string SlurmScheduler::state_root(const Call& call) const {
  return host().state_dir(call) + "/slurm";
}

std::string SlurmScheduler::readable_root(const Call& call) const {
  const std::string root = state_root(call);
  require_readable(root);
  return root;
}

std::string SlurmScheduler::root_to_act_in(const std::string& app_id, const Call& call) const {
  const std::string root = state_root(call);
  require_own(root, app_id);
  return root;
}

RunOpts SlurmScheduler::run_opts(const Call&) { return declared_options(); }

std::optional<std::vector<AppField>> SlurmScheduler::app_fields(const Cfg& cfg, const Call&) {
  return acted_on(read_options(cfg));
}

std::unique_ptr<Request> SlurmScheduler::submit_dryrun(const AppDef& app, const Cfg& cfg,
                                                       const OnFinding& on_finding,
                                                       const Call& call) {
  SlurmOptions options = read_options(cfg);
  if (options.job_dir) options.job_dir = normal_path(absolute_path(*options.job_dir)).string();
  const ClusterFacts facts = query_cluster(options.array, call);
  const PlanPlace place{args().session, args().session + "/" + make_unique_id(app.name),
                        state_root(call)};
  return std::make_unique<SlurmRequest>(build_plan(app, options, facts, place, on_finding), app);
}

Submission SlurmScheduler::schedule(const Request& request, const ScheduleOptions&,
                                    const Call& call) {
  const auto& slurm = static_cast<const SlurmRequest&>(request);
  const JobPlan& plan = slurm.plan();
  if (plan.parts.empty()) throw Error(Code::kInvalid, "the app has no replicas");
  check_job_dir(plan.job_dir);
  NewRecord record(state_root(call), plan, slurm.app());
  std::string app_id;
  try {
    app_id =
        submit_job(plan, script_path(plan.record_dir), call, [this](const std::string& message) {
          host().log(LogLevel::kWarning, "slurm: " + message);
        });
  } catch (const Error& error) {
    if (error.code() == Code::kOutcomeUnknown) record.keep();
    throw;
  }
  try {
    record.complete(app_id);
  } catch (const Error& error) {
    // The job exists, and Slurm's answers describe it without the record.
    host().log(LogLevel::kWarning, "job " + app_id + " was submitted, but " + error.message());
  }
  return {app_id};
}

std::optional<Description> SlurmScheduler::describe(std::string_view app_id, std::uint32_t want,
                                                    const Call& call) {
  const auto warn = [&](const std::string& problem) {
    host().log(LogLevel::kWarning, "slurm: " + problem + "; its record describes the app");
  };
  // The app names programs to run, so the caller must own its record.
  const bool wants_app = (want & SLIPWAY_WANT_APP_DEF) != 0;
  const std::string id_text(app_id);
  const std::string root = wants_app ? root_to_act_in(id_text, call) : readable_root(call);
  auto out = look_up(root, id_text, call, warn);
  if (const auto id = parse_job_id(app_id); id && out) {
    const std::lock_guard lock(mutex_);
    const auto known = watches_.find(id->cluster);
    const auto watch = known != watches_.end() ? known->second.lock() : nullptr;
    if (watch) watch->described(id->number, out->state);
  }
  if (out && !wants_app) out->app.reset();
  return out;
}

bool SlurmScheduler::exists(std::string_view app_id, const Call& call) {
  const std::string root = readable_root(call);
  if (!mark_of_id(root, std::string(app_id)).empty()) return true;
  return parse_job_id(app_id) && look_up(root, std::string(app_id), call);
}

void SlurmScheduler::cancel(std::string_view app_id, const CancelOptions& options,
                            const Call& call) {
  if (options.grace_ms) {
    throw Error(Code::kUnimplemented,
                "slurm cannot cancel with a grace time of its own: the cluster's KillWait decides",
                "leave --grace out, or end the job at once with --now");
  }
  const std::string id(app_id);
  cancel_app(root_to_act_in(id, call), id, options.now, call);
}

std::vector<SignalResult> SlurmScheduler::signal(const SignalOrder& order, const Call& call) {
  return carry_out(order, root_to_act_in(order.app_id, call), call);
}

void SlurmScheduler::delete_app(std::string_view app_id, const Call& call) {
  const std::string root = root_to_act_in(std::string(app_id), call);
  const auto app = look_up(root, std::string(app_id), call);
  const auto record = record_of_id(root, std::string(app_id));
  if (!app && !record) return;  // gone already
  if (!app || !record)
    throw Error(Code::kNotFound, "there is no record of app " + std::string(app_id));
  if (!is_terminal(app->state) && app->state != AppState::kUnknown)
    throw Error(Code::kPrecondition, "app " + std::string(app_id) + " is not finished");
  forget_record(root, *record);
}

std::vector<ListItem> SlurmScheduler::list(const ListQuery& query, const Call& call) {
  const std::string root = readable_root(call);
  // On a machine without a cluster, a slow DNS must not delay the list of all schedulers, unless
  // the user has submitted jobs.
  if (query.one_of_several && !may_have_cluster() && known_apps(root).empty()) {
    throw Error(Code::kPrecondition, "this host has no configuration of a Slurm cluster",
                "set SLURM_CONF; `slipway list -s slurm` also looks for a cluster in the DNS");
  }
  JobLists jobs;
  auto known_apps_read = start_thread([&root] { return known_apps(root); });
  if (!query.active_only) {
    auto accounting = start_thread([&] { query_accounting(jobs, call); });
    query_queue(jobs, call);
    accounting.get();
  } else {
    query_queue(jobs, call);
    // Without the queue, only accounting can tell which apps have ended.
    if (jobs.queue_problem) query_accounting(jobs, call);
  }
  const std::vector<KnownApp> known = known_apps_read.get();
  if (jobs.queue_problem && jobs.accounted.empty() && known.empty()) throw *jobs.queue_problem;
  if (jobs.queue_problem) {
    host().log(LogLevel::kWarning, "slurm: " + jobs.queue_problem->message() +
                                       "; apps are listed by their records and accounting");
  }
  if (!jobs.accounting_problem.empty()) {
    host().log(LogLevel::kWarning, "slurm: " + jobs.accounting_problem +
                                       "; apps that ended are listed by their records alone");
  }
  return list_all(root, jobs, known, query.active_only, call);
}

std::unique_ptr<QueueWatch::Subscription> SlurmScheduler::subscribe(const std::string& root,
                                                                    const std::string& app_id) {
  const JobId id = parse_job_id(app_id).value_or(JobId());
  const std::string mark = mark_of_id(root, app_id);
  std::shared_ptr<QueueWatch> watch;
  {
    const std::lock_guard lock(mutex_);
    watch = watches_[id.cluster].lock();
    if (!watch) watches_[id.cluster] = watch = std::make_shared<QueueWatch>(root, id.cluster);
  }
  return watch->subscribe(id.number, mark.empty() ? mark : root + "/" + mark);
}

std::unique_ptr<Events> SlurmScheduler::events_open(std::string_view app_id, EventScope,
                                                    const Call& call) {
  const std::string id(app_id);
  if (!exists(id, call)) throw Error(Code::kNotFound, "there is no app " + id);
  return std::make_unique<JobEvents>(subscribe(root_to_act_in(id, call), id), id, followed_);
}

std::unique_ptr<LogIterator> SlurmScheduler::log_open(const LogQuery& query, const Call& call) {
  if (query.since || query.until) {
    throw Error(Code::kUnimplemented, "slurm does not record when a line was written",
                "leave --since and --until out");
  }
  const std::string root = query.follow ? root_to_act_in(query.app_id, call) : readable_root(call);
  const auto record = resolved_record(root, query.app_id, call);
  if (!record) {
    throw Error(Code::kNotFound, "there is no record of job " + query.app_id + " in " + root,
                "logs are found by the record, which is part of the state of the user who "
                "submitted the job");
  }
  std::shared_ptr<QueueWatch::Subscription> changes;
  if (query.follow) changes = subscribe(root, query.app_id);
  const auto has_ended = [root, id = query.app_id, host = host(), changes, followed = followed_,
                          is_first = true, was_silent = false, has_warned = false]() mutable {
    if (!is_first && !was_silent && !changes->is_raised()) return false;
    is_first = false;
    changes->drain();
    try {
      const auto app = look_up(root, id, Call());
      if (has_warned) host.log(LogLevel::kInfo, "slurm answers again");
      was_silent = has_warned = false;
      return !app || is_over(*app);
    } catch (const Error& error) {
      if (error.code() != Code::kTemporary) throw;
      // An outage of the controller, however long, does not end `log -f`.
      if (!was_silent && !followed->contains(id)) {  // else the host reports the outage
        host.log(LogLevel::kWarning,
                 "slurm: " + error.message() + "; `log` continues when it answers");
        has_warned = true;
      }
      was_silent = true;
      return false;
    }
  };
  const int end_fd = changes ? changes->fd() : -1;
  std::vector<LogFile> files = log_sources(*record, query);
  auto out =
      std::make_unique<LogFiles>(record->log_dir, files, query.follow, has_ended, host(), end_fd);
  if (const StrList gone = missing_logs(*record, files); !gone.empty()) {
    host().log(LogLevel::kWarning, std::to_string(gone.size()) + " of the job's " +
                                       std::to_string(files.size()) +
                                       " log files are missing, the first is " + gone.front() +
                                       ": another program moved or removed them");
  }
  return out;
}

}  // namespace slipway::slurm
