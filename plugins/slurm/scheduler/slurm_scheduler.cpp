#include "plugins/slurm/scheduler/slurm_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "plugins/slurm/engine/cluster_query.hpp"
#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/engine/submission.hpp"
#include "plugins/slurm/logs/log_sources.hpp"
#include "plugins/slurm/scheduler/slurm_request.hpp"
#include "plugins/slurm/script/batch_script.hpp"
#include "plugins/slurm/script/plan_builder.hpp"
#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "slipway/ids.hpp"

namespace slipway::slurm {

namespace {

namespace fs = std::filesystem;

/// The app as Slurm and its record tell it; nothing when neither knows it.
std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call) {
  const auto id = parse_job_id(app_id);
  if (!id) return std::nullopt;
  const JobAnswer answer = query_app(*id, call);
  if (answer.jobs.empty()) {
    if (const auto record = record_of_id(state_root, app_id)) return describe_app(*record, {});
    return answer.others_only ? std::optional<Description>(describe_jobs(app_id, {}))
                              : std::nullopt;
  }
  const QueueJob& first = answer.jobs.front();
  if (is_forgotten(state_root, app_id, mark_in(first.comment))) return std::nullopt;
  auto record = record_of_mark(state_root, mark_in(first.comment));
  // Accounting keeps no comments unless it is told to.
  if (!record && !first.state_text.empty()) record = record_of_id(state_root, app_id);
  return record ? describe_app(*record, answer.jobs) : describe_jobs(app_id, answer.jobs);
}

void make_directories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(Code::kCantCreate, "cannot make " + path + ": " + error.message());
}

void check_job_dir(const std::optional<std::string>& job_dir) {
  if (!job_dir) return;
  std::error_code error;
  if (fs::is_directory(*job_dir, error)) return;
  throw Error(Code::kNotFound, "run option job_dir: " + *job_dir + " is no directory",
              "make it first, on a file system that the nodes share");
}

/// A record that is taken back unless the job was submitted.
class NewRecord {
 public:
  explicit NewRecord(const JobPlan& plan) : directory_(plan.record_dir) {
    make_directories(directory_ + "/replicas");
    fs::permissions(directory_, fs::perms::owner_all);
    write_file(script_path(), batch_script(plan));
  }
  ~NewRecord() {
    std::error_code ignored;
    if (!is_kept_) fs::remove_all(directory_, ignored);
  }
  NewRecord(const NewRecord&) = delete;
  NewRecord& operator=(const NewRecord&) = delete;

  std::string script_path() const { return directory_ + "/job.sh"; }
  void keep() { is_kept_ = true; }

 private:
  std::string directory_;
  bool is_kept_ = false;
};

}  // namespace

std::string SlurmScheduler::state_root(const Call& call) const {
  return host().state_dir(call) + "/slurm";
}

RunOpts SlurmScheduler::run_opts() { return declared_options(); }

std::unique_ptr<Request> SlurmScheduler::submit_dryrun(const AppDef& app, const Cfg& cfg,
                                                       const OnFinding& on_finding,
                                                       const Call& call) {
  SlurmOptions options = read_options(cfg);
  if (options.job_dir) options.job_dir = fs::absolute(*options.job_dir).lexically_normal().string();
  const ClusterFacts facts = query_cluster(options.array, call);
  const PlanPlace place{args().session, args().session + "/" + make_unique_id(app.name),
                        state_root(call)};
  return std::make_unique<SlurmRequest>(build_plan(app, options, facts, place, on_finding), app);
}

std::string SlurmScheduler::schedule(const Request& request, const ScheduleOptions&,
                                     const Call& call) {
  const auto& slurm = static_cast<const SlurmRequest&>(request);
  const JobPlan& plan = slurm.plan();
  if (plan.parts.empty()) throw Error(Code::kInvalid, "the app has no replicas");
  check_job_dir(plan.job_dir);
  NewRecord files(plan);
  JobRecord record;
  // Before Slurm has it: the job may run, and end, before sbatch has answered.
  record.submitted_at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  record.app_id = submit_job(plan, files.script_path(), call);
  files.keep();

  record.mark = plan.mark;
  record.session = plan.session;
  record.shape = plan.shape;
  record.record_dir = plan.record_dir;
  record.log_dir = plan.log_dir;
  record.app = slurm.app();
  try {
    write_record(state_root(call), record);
  } catch (const Error& error) {
    // The job is there; without its record Slurm's own words still describe it.
    host().log(LogLevel::kWarning,
               "job " + record.app_id + " was submitted, but " + error.message());
  }
  return record.app_id;
}

std::optional<Description> SlurmScheduler::describe(std::string_view app_id, std::uint32_t want,
                                                    const Call& call) {
  auto out = look_up(state_root(call), std::string(app_id), call);
  if (out && (want & SLIPWAY_WANT_APP_DEF) == 0) out->app.reset();
  return out;
}

void SlurmScheduler::cancel(std::string_view app_id, const CancelOptions& options,
                            const Call& call) {
  cancel_job(std::string(app_id), options.now, call);
}

void SlurmScheduler::delete_app(std::string_view app_id, const Call& call) {
  const std::string root = state_root(call);
  const auto app = look_up(root, std::string(app_id), call);
  const auto record = record_of_id(root, std::string(app_id));
  if (!app && !record) return;  // gone already
  if (!app || !record)
    throw Error(Code::kNotFound, "there is no record of app " + std::string(app_id));
  if (!is_terminal(app->state) && app->state != AppState::kUnknown)
    throw Error(Code::kPrecondition, "app " + std::string(app_id) + " is not finished");
  forget_record(root, *record);
}

std::vector<ListItem> SlurmScheduler::list(const Call& call) {
  const std::string root = state_root(call);
  std::vector<QueueJob> jobs = query_jobs(call);
  const auto forgotten = [&](const QueueJob& job) {
    return is_terminal(settled_state(job.states)) &&
           is_forgotten(root, std::to_string(job.app_id()), mark_in(job.comment));
  };
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), forgotten), jobs.end());
  std::vector<ListItem> out = list_apps(jobs);
  for (ListItem& item : out) {
    // Accounting keeps no comments unless it is told to.
    const std::string mark = item.session.empty() ? mark_of_id(root, item.app_id) : std::string();
    if (mark.empty()) continue;
    MarkedApp app = app_of_mark(mark);
    item.name = std::move(app.name);
    item.session = std::move(app.session);
  }
  return out;
}

std::unique_ptr<LogIterator> SlurmScheduler::log_open(const LogQuery& query, const Call& call) {
  if (query.since || query.until) {
    throw Error(Code::kUnimplemented, "slurm does not record when a line was written",
                "leave --since and --until out");
  }
  const std::string root = state_root(call);
  const auto record = record_of_id(root, query.app_id);
  if (!record) {
    throw Error(Code::kNotFound, "there is no record of job " + query.app_id + " in " + root,
                "logs are found by the record, which lies with the state of who submitted the job");
  }
  const auto has_ended = [root, id = query.app_id] {
    const auto app = look_up(root, id, Call());
    return !app || is_terminal(app->state) ||
           (app->state == AppState::kUnknown && !app->msg.empty());
  };
  std::vector<LogFile> files = log_sources(*record, query);
  auto out = std::make_unique<LogFiles>(record->log_dir, files, query.follow, has_ended);
  if (const StrList gone = missing_logs(*record, files); !gone.empty()) {
    host().log(LogLevel::kWarning, "of the job's log files " + std::to_string(gone.size()) +
                                       " of " + std::to_string(files.size()) + " are gone, " +
                                       gone.front() +
                                       " the first of them: they have been moved away or removed");
  }
  return out;
}

}  // namespace slipway::slurm
