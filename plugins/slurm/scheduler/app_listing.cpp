#include "plugins/slurm/scheduler/app_listing.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "plugins/slurm/state/replica_record.hpp"

namespace slipway::slurm {

namespace {

/// The newest row of each job: accounting keeps one for each time that a job was requeued.
std::vector<QueueJob> newest_rows(const std::vector<QueueJob>& jobs) {
  std::unordered_map<std::int64_t, std::size_t> places;
  std::vector<QueueJob> out;
  for (const QueueJob& job : jobs) {
    const auto [place, is_new] = places.emplace(job.id, out.size());
    if (is_new) {
      out.push_back(job);
    } else if (const QueueJob& kept = out[place->second];
               std::make_pair(job.submitted_at.value_or(0), job.started_at.value_or(0)) >
               std::make_pair(kept.submitted_at.value_or(0), kept.started_at.value_or(0))) {
      out[place->second] = job;
    }
  }
  return out;
}

/// The state of an app that Slurm no longer knows, or not as alive.
AppState recorded_state(const std::string& state_root, const std::string& mark) {
  if (const auto result = read_result(state_root + "/" + mark, std::nullopt))
    return result->code == 0 ? AppState::kSucceeded : AppState::kFailed;
  try {
    const auto record = record_of_mark(state_root, mark);
    return record ? describe_app(*record, {}).state : AppState::kUnknown;
  } catch (const Error&) {
    return AppState::kUnknown;  // a damaged record; `status` reports the damage
  }
}

class Listing {
 public:
  Listing(const std::string& state_root, const JobLists& jobs, const std::vector<KnownApp>& known)
      : state_root_(state_root), queue_answered_(!jobs.queue_problem) {
    for (const KnownApp& app : known) known_.emplace(app.app_id, app);
    find_drafts(jobs.queued);
    for (ListItem& item : list_apps(remembered(jobs.queued, true))) add(std::move(item), true);
    for (ListItem& item : list_apps(remembered(newest_rows(jobs.accounted), false)))
      add(std::move(item), false);
    for (const auto& [app_id, app] : known_) {
      if (items_.count(app_id) != 0) continue;
      ListItem item;
      item.app_id = app_id;
      item.state = recorded_state(state_root_, app.mark);
      items_.emplace(app_id, named(std::move(item)));
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
  /// Leaves out what has ended and was deleted.
  std::vector<QueueJob> remembered(std::vector<QueueJob> jobs, bool is_queued) const {
    const auto forgotten = [&](const QueueJob& job) {
      const bool may_live = is_queued || !queue_answered_;
      if (may_live && !is_terminal(settled_state(job.states))) return false;
      return is_forgotten(state_root_, std::to_string(job.app_id()), mark_in(job.comment));
    };
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), forgotten), jobs.end());
    return jobs;
  }

  /// Apps whose submission was not answered: their job may be in the queue by now.
  void find_drafts(const std::vector<QueueJob>& queued) {
    for (auto app = known_.begin(); app != known_.end();) {
      if (parse_job_id(app->first)) {
        ++app;
        continue;
      }
      auto record = readable_record(app->second.mark);
      const bool was_found = record && !record->app_id.empty();
      if (was_found || (record && record_job(*record, queued))) {
        known_.emplace(record->app_id,
                       KnownApp{record->app_id, record->mark, app->second.submitted_at});
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

  bool record_job(JobRecord& record, const std::vector<QueueJob>& queued) const {
    const auto job = std::find_if(queued.begin(), queued.end(), [&](const QueueJob& one) {
      return mark_in(one.comment) == record.mark;
    });
    if (job == queued.end()) return false;
    record.app_id = std::to_string(job->app_id());
    try {
      write_record(state_root_, record, true);
    } catch (const Error&) {
      return false;  // a full disk: the app stays under its first name
    }
    return true;
  }

  void add(ListItem item, bool is_queued) {
    if (items_.count(item.app_id) != 0) return;
    const auto known = known_.find(item.app_id);
    // Accounting may never hear of the end of a job; the queue would know it if it lived.
    if (!is_queued && queue_answered_ && !is_terminal(item.state)) {
      item.state = known != known_.end() ? recorded_state(state_root_, known->second.mark)
                                         : AppState::kUnknown;
    }
    std::string app_id = item.app_id;
    items_.emplace(std::move(app_id), named(std::move(item)));
  }

  /// With what the record adds: accounting keeps no comments unless it is told to, and Slurm's
  /// times are whole seconds.
  ListItem named(ListItem item) const {
    const auto known = known_.find(item.app_id);
    if (known == known_.end()) return item;
    if (known->second.submitted_at) item.submitted_at = known->second.submitted_at;
    if (!item.session.empty()) return item;
    MarkedApp app = app_of_mark(known->second.mark);
    item.name = std::move(app.name);
    item.session = std::move(app.session);
    return item;
  }

  std::string state_root_;
  bool queue_answered_;
  std::map<std::string, KnownApp> known_;
  std::map<std::string, ListItem> items_;
};

}  // namespace

std::vector<ListItem> list_all(const std::string& state_root, const JobLists& jobs,
                               const std::vector<KnownApp>& known) {
  return Listing(state_root, jobs, known).newest_first();
}

}  // namespace slipway::slurm
