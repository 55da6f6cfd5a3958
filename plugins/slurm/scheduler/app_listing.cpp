#include "plugins/slurm/scheduler/app_listing.hpp"

#include <algorithm>
#include <map>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/scheduler/app_lookup.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "plugins/slurm/state/replica_record.hpp"

namespace slipway::slurm {

namespace {

/// The longest time by which the clock of the file server, which dates records, may be behind this
/// machine's clock.
constexpr std::int64_t kLongestClockSkew = 5 * kSecondNs;

/// Returns the state of an app from its record, because its job is not in the queue.
AppState recorded_state(const std::string& state_root, const std::string& mark) {
  if (const auto result = read_result(state_root + "/" + mark, std::nullopt))
    return result->code == 0 ? AppState::kSucceeded : AppState::kFailed;
  try {
    const auto record = record_of_mark(state_root, mark);
    return record ? describe_app(*record, {}).state : AppState::kUnknown;
  } catch (const Error&) {
    return AppState::kUnknown;  // the record is damaged; `status` reports that
  }
}

class Listing {
 public:
  Listing(const std::string& state_root, const JobLists& jobs, const std::vector<KnownApp>& known,
          bool active_only, const Call& call)
      : state_root_(state_root),
        call_(call),
        queue_answered_(!jobs.queue_problem),
        asked_at_ns_(jobs.asked_at_ns) {
    for (const KnownApp& app : known) known_.emplace(app.app_id, app);
    find_drafts(jobs.queued);
    add_jobs(without_deleted(jobs.queued, Source::kQueue), Source::kQueue);
    add_jobs(without_deleted(jobs.accounted, Source::kAccounting), Source::kAccounting);
    for (const auto& [app_id, app] : known_) {
      if (items_.count(app_id) != 0) continue;
      if (active_only && has_left_queue(app)) continue;
      ListItem item;
      item.app_id = app_id;
      item.state = recorded_state(state_root_, app.mark);
      items_.emplace(app_id, complete_item(std::move(item), &app));
    }
  }

  std::vector<ListItem> newest_first() && {
    std::vector<ListItem> out;
    for (auto& [app_id, item] : items_) out.push_back(std::move(item));
    std::stable_sort(out.begin(), out.end(), [](const ListItem& a, const ListItem& b) {
      return a.submitted_at.value_or(0) > b.submitted_at.value_or(0);
    });
    return out;
  }

 private:
  enum class Source { kQueue, kAccounting };

  /// Returns whether the job must have ended because the queue's answer does not contain it. The
  /// answer does not contain jobs that were submitted later, or to another cluster.
  bool has_left_queue(const KnownApp& app) const {
    const auto id = parse_job_id(app.app_id);
    return queue_answered_ && id && id->cluster.empty() && app.submitted_at &&
           was_there_before_query(*app.submitted_at);
  }

  /// Returns whether a job that was submitted at this time was in the queue, or had left it, when
  /// the queue was queried.
  bool was_there_before_query(std::int64_t submitted_at) const {
    return submitted_at + kLongestClockSkew < asked_at_ns_;
  }

  /// Returns the jobs without those that have ended and whose app the user deleted.
  std::vector<QueueJob> without_deleted(std::vector<QueueJob> jobs, Source source) const {
    const auto forgotten = [&](const QueueJob& job) {
      const bool may_live = source == Source::kQueue || !queue_answered_;
      if (may_live && !is_terminal(state_with_flags(job.states))) return false;
      return is_forgotten(state_root_, std::to_string(job.app_id()), mark_in(job.comment));
    };
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), forgotten), jobs.end());
    return jobs;
  }

  /// Finds the jobs of apps whose submission Slurm did not answer, and lists these apps by their
  /// jobs.
  void find_drafts(const std::vector<QueueJob>& queued) {
    for (auto app = known_.begin(); app != known_.end();) {
      if (parse_job_id(app->first)) {
        ++app;
        continue;
      }
      auto record = readable_record(app->second.mark);
      const bool was_found = record && !record->app_id.empty();
      if (was_found || (record && record_job(*record, queued))) {
        KnownApp& known =
            known_.emplace(record->app_id, KnownApp{record->app_id, record->mark, std::nullopt})
                .first->second;
        // The link of the job's id is younger than the submission.
        if (known.mark == record->mark) known.submitted_at = app->second.submitted_at;
        app = known_.erase(app);
      } else {
        ++app;
      }
    }
  }

  std::optional<JobRecord> readable_record(const std::string& mark) const {
    try {
      return record_of_mark(state_root_, mark);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  /// Gives the record the id of its job. Returns false if the job is unknown, or the record cannot
  /// be written.
  bool record_job(JobRecord& record, const std::vector<QueueJob>& queued) const {
    std::string id = read_job_id(record.record_dir);
    if (!parse_job_id(id)) {
      const auto job = std::find_if(queued.begin(), queued.end(), [&](const QueueJob& one) {
        return mark_in(one.comment) == record.mark;
      });
      if (job == queued.end()) return false;
      id = std::to_string(job->app_id());
    }
    if (record.other_owner) {  // root may read the record, but not write into it
      record.app_id = id;
      return true;
    }
    try {
      resolve_record(state_root_, record, id, call_);
    } catch (const Error&) {
      return false;  // for example on a full disk; the app keeps the name of its draft as its id
    }
    return true;
  }

  void add_jobs(const std::vector<QueueJob>& jobs, Source source) {
    std::map<std::string, const QueueJob*> first_jobs;  // by the app's id
    for (const QueueJob& job : jobs) first_jobs.try_emplace(std::to_string(job.app_id()), &job);
    for (ListItem& item : list_apps(jobs)) {
      const KnownApp* const known = known_app_of(*first_jobs.at(item.app_id), source);
      add(std::move(item), known, source);
    }
  }

  /// Returns the recorded app of the job; null if there is none, or if the record with the job's
  /// number belongs to another job. Most sites' accounting keeps no comments, so there the number
  /// decides.
  const KnownApp* known_app_of(const QueueJob& job, Source source) const {
    const auto known = known_.find(std::to_string(job.app_id()));
    if (known == known_.end()) return nullptr;
    const std::string& mark = known->second.mark;
    const bool is_own = is_job_of(mark, state_root_ + "/" + mark, job) ||
                        (source == Source::kAccounting && mark_in(job.comment).empty());
    return is_own ? &known->second : nullptr;
  }

  void add(ListItem item, const KnownApp* known, Source source) {
    if (items_.count(item.app_id) != 0) return;
    // Accounting may not know the end of a job. A job that was there before the query of the queue
    // and has not ended would be in the queue.
    if (source == Source::kAccounting && queue_answered_ && !is_terminal(item.state)) {
      const AppState state =
          known != nullptr ? recorded_state(state_root_, known->mark) : AppState::kUnknown;
      if (state != AppState::kUnknown || was_there_before_query(item.submitted_at.value_or(0)))
        item.state = state;
    }
    std::string app_id = item.app_id;
    items_.emplace(std::move(app_id), complete_item(std::move(item), known));
  }

  /// Completes an item from the app's record, if any, because the accounting of most sites keeps no
  /// comments, and Slurm's times are whole seconds.
  static ListItem complete_item(ListItem item, const KnownApp* known) {
    if (known == nullptr) return item;
    if (known->submitted_at) item.submitted_at = known->submitted_at;
    if (!item.session.empty()) return item;
    MarkedApp app = app_of_mark(known->mark);
    item.name = std::move(app.name);
    item.session = std::move(app.session);
    return item;
  }

  std::string state_root_;
  const Call& call_;
  bool queue_answered_;
  std::int64_t asked_at_ns_;
  std::map<std::string, KnownApp> known_;
  std::map<std::string, ListItem> items_;
};

}  // namespace

std::vector<ListItem> list_all(const std::string& state_root, const JobLists& jobs,
                               const std::vector<KnownApp>& known, bool active_only,
                               const Call& call) {
  return Listing(state_root, jobs, known, active_only, call).newest_first();
}

}  // namespace slipway::slurm
