#include "plugins/slurm/watch/queue_watch.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include "plugins/slurm/state/job_state.hpp"
#include "sdk/support/blocked_signals.hpp"
#include "sdk/support/fnv_hash.hpp"
#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBusyPause{500};  // between two attempts to get the lock
// Longer than one squeue takes: then the process that holds the lock seems to be stopped (SIGSTOP).
constexpr milliseconds kLongestBusy{25000};

/// Returns the directory for this machine and for the settings that select the cluster, because
/// answers are shared neither between machines (each has a clock of its own) nor between clusters.
std::string board_directory(const std::string& state_root, const std::string& cluster) {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  std::string key = cluster;
  for (const char* name : {"SLURM_CONF", "SLURM_CLUSTERS"}) {
    const char* value = std::getenv(name);
    key += '\n';
    if (value != nullptr) key += value;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(fnv_hash(key)));
  return state_root + "/queue/" + host + "-" + digits;
}

/// Returns whether all components or tasks of a job have ended. Also returns true for a job that
/// Slurm does not know. A word that Slipway does not know counts as an end, because one report too
/// many does no harm.
bool is_over(const std::string& states) {
  for (std::size_t from = 0; from < states.size();) {
    const std::size_t end = std::min(states.find(',', from), states.size());
    const AppState state = state_with_flags({states.substr(from, end - from)});
    if (!is_terminal(state) && state != AppState::kUnknown) return false;
    from = end + 1;
  }
  return true;
}

/// Returns whether these words mean the state in which the caller has described the app. Looks only
/// for the most frequent words, because one report too many does no harm.
bool agrees(const std::string& states, AppState state) {
  return (states == "PENDING" && state == AppState::kPending) ||
         (states == "RUNNING" && state == AppState::kRunning);
}

}  // namespace

// ---- a subscription

QueueWatch::Subscription::Subscription(std::shared_ptr<QueueWatch> watch, std::int64_t job)
    : watch_(std::move(watch)), job_(job), pace_(Clock::now(), watch_->pauses_) {}

QueueWatch::Subscription::~Subscription() { watch_->remove(*this); }

void QueueWatch::Subscription::drain() {
  {
    const std::lock_guard lock(watch_->mutex_);
    event_.clear();
    is_raised_ = false;
  }
  watch_->wake_thread();
}

bool QueueWatch::Subscription::is_raised() const {
  const std::lock_guard lock(watch_->mutex_);
  return is_raised_;
}

void QueueWatch::Subscription::raise() {
  is_raised_ = true;
  event_.raise();
}

// ---- for subscribers

QueueWatch::QueueWatch(const std::string& state_root, std::string cluster,
                       const QueryPauses& pauses)
    : cluster_(std::move(cluster)),
      pauses_(pauses),
      board_(board_directory(state_root, cluster_)),
      changes_(board_.directory(), QueueBoard::kAnswerName) {
  const BlockedSignals blocked;
  thread_ = std::thread([this] { run(); });
}

QueueWatch::~QueueWatch() {
  is_stopping_ = true;
  stop_.raise();
  thread_.join();
}

std::unique_ptr<QueueWatch::Subscription> QueueWatch::subscribe(std::int64_t job,
                                                                const std::string& record_dir) {
  auto out = std::make_unique<Subscription>(shared_from_this(), job);
  {
    const std::lock_guard lock(mutex_);
    subscriptions_.push_back(out.get());
    if (!record_dir.empty()) changes_.add(record_dir, out.get());
    want_all();
  }
  wake_thread();
  return out;
}

void QueueWatch::remove(Subscription& subscription) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(subscriptions_.begin(), subscriptions_.end(), &subscription);
  if (found == subscriptions_.end()) return;  // subscribe() failed
  subscriptions_.erase(found);
  changes_.remove(&subscription);
  want_all();
}

void QueueWatch::described(std::int64_t job, AppState state) {
  const std::lock_guard lock(mutex_);
  for (Subscription* each : subscriptions_) {
    if (each->job_ == job) each->described_ = state;
  }
}

void QueueWatch::want_all() {
  std::set<std::int64_t> jobs;
  for (const Subscription* each : subscriptions_) {
    if (each->job_ != 0) jobs.insert(each->job_);
  }
  board_.want(jobs);
}

void QueueWatch::wake_thread() const { command_.raise(); }

// ---- in the thread

void QueueWatch::run() {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    const auto next = next_query();
    lock.unlock();
    wait(next);
    lock.lock();
    handle_record_changes();
    const Clock::time_point now = Clock::now();
    if (!due(now).empty() && (!busy_until_ || now >= *busy_until_)) ask(lock);
  }
}

void QueueWatch::wait(std::optional<Clock::time_point> until) {
  pollfd fds[] = {{stop_.fd(), POLLIN, 0}, {command_.fd(), POLLIN, 0}, {changes_.fd(), POLLIN, 0}};
  int timeout = -1;
  if (until) {
    const auto left = std::chrono::ceil<milliseconds>(*until - Clock::now()).count();
    timeout = static_cast<int>(std::max<milliseconds::rep>(left, 0));
  }
  ::poll(fds, 3, timeout);
  command_.clear();
}

std::optional<QueueWatch::Clock::time_point> QueueWatch::next_query() const {
  std::optional<Clock::time_point> out;
  for (const Subscription* each : subscriptions_) {
    if (!each->is_raised_) out = out ? std::min(*out, each->pace_.next()) : each->pace_.next();
  }
  if (out && busy_until_) out = std::max(*out, *busy_until_);
  return out;
}

std::vector<QueueWatch::Subscription*> QueueWatch::due(Clock::time_point now) const {
  std::vector<Subscription*> out;
  std::copy_if(
      subscriptions_.begin(), subscriptions_.end(), std::back_inserter(out),
      [&](const Subscription* each) { return !each->is_raised_ && each->pace_.next() <= now; });
  return out;
}

void QueueWatch::handle_record_changes() {
  const Clock::time_point now = Clock::now();
  const bool may_have_answer = changes_.read([&](const void* subscriber, QueryPace::Wake wake) {
    for (Subscription* each : subscriptions_) {
      if (each == subscriber) each->pace_.woken(now, wake);
    }
  });
  if (!may_have_answer) return;
  if (const auto answer = board_.latest()) take(*answer);
}

void QueueWatch::ask(std::unique_lock<std::mutex>& lock) {
  const Clock::time_point now = Clock::now();
  std::vector<std::pair<std::int64_t, QueryPace>> queries;
  for (Subscription* each : due(now)) {
    if (each->job_ != 0) {
      queries.emplace_back(each->job_, each->pace_);
      continue;
    }
    // The job's id is unknown: only the subscriber can search for the job.
    each->pace_.answered(now, now);
    each->raise();
  }
  if (queries.empty()) return;
  const auto is_enough = [&](const QueueAnswer& answer) {
    return std::all_of(queries.begin(), queries.end(), [&](const auto& query) {
      return answer.states.count(query.first) != 0 && query.second.accepts(answer.asked, now);
    });
  };
  const auto ask_slurm = [&](const std::set<std::int64_t>& wanted) {
    return query_states(cluster_, wanted, stop_.fd());
  };
  const bool is_stopped = busy_since_ && now - *busy_since_ > kLongestBusy;
  std::optional<QueueAnswer> answer;
  bool has_failed = false;
  lock.unlock();
  try {
    answer = is_stopped ? board_.ask_alone(ask_slurm) : board_.ask(is_enough, ask_slurm);
  } catch (const std::exception&) {
    has_failed = true;
  }
  lock.lock();
  if (!answer && !has_failed) {
    if (!busy_since_) busy_since_ = now;
    busy_until_ = Clock::now() + kBusyPause;
    return;
  }
  busy_since_.reset();
  busy_until_.reset();
  if (answer) return take(*answer);
  // The query has failed. The subscribers describe their apps, and report why Slurm does not
  // answer.
  for (Subscription* each : due(now)) {
    each->pace_.answered(now, now);
    each->raise();
  }
}

void QueueWatch::take(const QueueAnswer& answer) {
  busy_since_.reset();
  busy_until_.reset();
  for (Subscription* each : subscriptions_) {
    const auto states = answer.states.find(each->job_);
    if (states != answer.states.end() && !each->is_raised_)
      take(states->second, answer.asked, *each);
  }
}

void QueueWatch::take(const std::string& states, Clock::time_point asked,
                      Subscription& subscription) const {
  if (asked <= subscription.seen_) return;
  subscription.seen_ = asked;
  const bool is_first = !subscription.states_;
  const bool has_changed = is_first || *subscription.states_ != states;
  const bool is_known =
      is_first && subscription.described_ && agrees(states, *subscription.described_);
  subscription.states_ = states;
  subscription.pace_.answered(asked, Clock::now());
  if (has_changed && !is_first) subscription.pace_.changed(asked);
  // Raises an end again for each answer until the subscriber leaves: when the subscriber described
  // the app, Slurm may just have started the job again.
  if (is_over(states) || (has_changed && !is_known)) subscription.raise();
}

}  // namespace slipway::slurm
