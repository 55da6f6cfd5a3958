// Converts descriptions and lists between C++ values and C views.
#pragma once

#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "slipway/detail/app_views.hpp"
#include "slipway/status.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// Returns the time, or SLIPWAY_TIME_UNSET. The start of 1970 becomes 1, because 0 means "unset".
inline std::int64_t time_of(TimeNs t) {
  if (!t) return SLIPWAY_TIME_UNSET;
  return *t != SLIPWAY_TIME_UNSET ? *t : 1;
}
inline TimeNs read_time(std::int64_t ns) {
  return ns == SLIPWAY_TIME_UNSET ? TimeNs() : TimeNs(ns);
}
/// Returns the state; FAILED or UNKNOWN for a state that this version does not know (abi/app.h).
inline AppState read_state(std::int32_t state) {
  if (const auto known = app_state_from(static_cast<std::int64_t>(state))) return *known;
  const bool has_ended = state > 0 && (state & SLIPWAY_STATE_TERMINAL) != 0;
  return has_ended ? AppState::kFailed : AppState::kUnknown;
}

/// A C view of a Description, which must outlive it.
class DescriptionView {
 public:
  explicit DescriptionView(const Description& d) : view_(sized<slipway_description>()) {
    roles_.reserve(d.roles.size());
    for (const RoleStatus& role : d.roles) {
      auto& replicas = replicas_.emplace_back();
      replicas.reserve(role.replicas.size());
      for (const ReplicaStatus& r : role.replicas) replicas.push_back(replica(r));
      auto v = sized<slipway_role_status>();
      v.role = view(role.role);
      v.replicas = array_of<slipway_replica_status_array>(replicas);
      roles_.push_back(v);
    }
    view_.state = static_cast<std::int32_t>(d.state);
    view_.num_restarts = d.num_restarts;
    view_.app_id = view(d.app_id);
    view_.name = view_or_absent(d.name);
    view_.msg = view_or_absent(d.msg);
    view_.structured_error_json = view_or_absent(d.structured_error_json);
    view_.ui_url = view_or_absent(d.ui_url);
    view_.submitted_at_ns = time_of(d.submitted_at);
    view_.started_at_ns = time_of(d.started_at);
    view_.finished_at_ns = time_of(d.finished_at);
    view_.roles = array_of<slipway_role_status_array>(roles_);
    if (d.app) view_.app = app_.emplace(*d.app).get();
    metadata_ = views_of(d.metadata);
    view_.metadata = array_of<slipway_kv_array>(metadata_);
  }
  DescriptionView(const DescriptionView&) = delete;
  DescriptionView& operator=(const DescriptionView&) = delete;
  const slipway_description* get() const { return &view_; }

 private:
  slipway_attempt_status_array attempts(const ReplicaStatus& r) {
    if (r.earlier_attempts.empty()) return {};
    auto& all = attempts_.emplace_back();
    all.reserve(r.earlier_attempts.size());
    for (const AttemptStatus& a : r.earlier_attempts) {
      auto v = sized<slipway_attempt_status>();
      v.state = static_cast<std::int32_t>(a.state);
      v.has_exit_code = a.exit_code ? 1 : 0;
      v.exit_code = a.exit_code ? *a.exit_code : 0;
      v.signal = a.signal;
      v.pid = a.pid;
      v.started_at_ns = time_of(a.started_at);
      v.finished_at_ns = time_of(a.finished_at);
      v.cpu_time_ns = a.use.cpu_time_ns;
      v.max_rss_bytes = a.use.max_rss_bytes;
      v.reason = view_or_absent(a.reason);
      all.push_back(v);
    }
    return array_of<slipway_attempt_status_array>(all);
  }

  slipway_replica_status replica(const ReplicaStatus& r) {
    auto v = sized<slipway_replica_status>();
    v.id = r.id;
    v.state = static_cast<std::int32_t>(r.state);
    v.has_exit_code = r.exit_code ? 1 : 0;
    v.exit_code = r.exit_code ? *r.exit_code : 0;
    v.signal = r.signal;
    v.restarts = r.restarts;
    v.count = r.count;
    v.pid = r.pid;
    v.started_at_ns = time_of(r.started_at);
    v.finished_at_ns = time_of(r.finished_at);
    v.cpu_time_ns = r.use.cpu_time_ns;
    v.max_rss_bytes = r.use.max_rss_bytes;
    v.hostname = view_or_absent(r.hostname);
    v.reason = view_or_absent(r.reason);
    v.structured_error_json = view_or_absent(r.structured_error_json);
    v.attempts = attempts(r);
    v.details_json = view_or_absent(r.details_json);
    return v;
  }

  std::deque<std::vector<slipway_attempt_status>> attempts_;
  std::deque<std::vector<slipway_replica_status>> replicas_;
  std::vector<slipway_role_status> roles_;
  std::optional<AppDefView> app_;
  std::vector<slipway_kv> metadata_;
  slipway_description view_;
};

inline AttemptStatus read(const slipway_attempt_status& v) {
  AttemptStatus out;
  out.state = read_state(v.state);
  out.pid = v.pid;
  if (v.has_exit_code != 0) out.exit_code = v.exit_code;
  out.signal = v.signal;
  out.reason = str(v.reason);
  out.started_at = read_time(v.started_at_ns);
  out.finished_at = read_time(v.finished_at_ns);
  out.use = {v.cpu_time_ns, v.max_rss_bytes};
  return out;
}

/// Reads into `out`, which must be new. Takes half the time of returning a value.
inline void read_into(ReplicaStatus& out, const slipway_replica_status& v) {
  out.id = v.id;
  out.state = read_state(v.state);
  out.hostname = text(v.hostname);
  out.pid = v.pid;
  if (v.has_exit_code != 0) out.exit_code = v.exit_code;
  out.signal = v.signal;
  out.reason = text(v.reason);
  out.restarts = v.restarts;
  // Ignores a count if the id after its last one would be beyond std::int32_t.
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  if (v.count > 1 && v.id >= 0 && v.id <= kMost - v.count) out.count = v.count;
  out.started_at = read_time(v.started_at_ns);
  out.finished_at = read_time(v.finished_at_ns);
  out.use = {v.cpu_time_ns, v.max_rss_bytes};
  out.structured_error_json = text(v.structured_error_json);
  out.details_json = text(v.details_json);
  each_widened<slipway_attempt_status>(v.attempts, [&](const slipway_attempt_status& a) {
    out.earlier_attempts.push_back(read(a));
  });
}

inline Description read(const slipway_description& from) {
  const slipway_description d = widen(&from);
  Description out;
  out.app_id = str(d.app_id);
  out.name = str(d.name);
  out.state = read_state(d.state);
  out.num_restarts = d.num_restarts;
  out.msg = str(d.msg);
  if (out.msg.empty() && !app_state_from(static_cast<std::int64_t>(d.state))) {
    out.msg = "the scheduler reports the state " + std::to_string(d.state) +
              ", which this version does not know";
  }
  out.structured_error_json = str(d.structured_error_json);
  out.ui_url = str(d.ui_url);
  out.submitted_at = read_time(d.submitted_at_ns);
  out.started_at = read_time(d.started_at_ns);
  out.finished_at = read_time(d.finished_at_ns);
  out.roles.reserve(d.roles.count);
  each_widened<slipway_role_status>(d.roles, [&](const slipway_role_status& role) {
    RoleStatus& r = out.roles.emplace_back();
    r.role = str(role.role);
    r.replicas.reserve(role.replicas.count);
    each_widened<slipway_replica_status>(role.replicas, [&](const slipway_replica_status& v) {
      read_into(r.replicas.emplace_back(), v);
    });
  });
  if (d.app != nullptr) out.app = read(*d.app);
  out.metadata = read(d.metadata);
  return out;
}

inline slipway_list_query view_of(const ListQuery& query) {
  auto v = sized<slipway_list_query>();
  if (query.active_only) v.flags |= SLIPWAY_LIST_ACTIVE;
  if (query.one_of_several) v.flags |= SLIPWAY_LIST_ONE_OF_SEVERAL;
  v.since_ns = time_of(query.since);
  v.limit = query.limit;
  return v;
}

inline ListQuery read(const slipway_list_query& from) {
  const slipway_list_query q = widen(&from);
  refuse_later_flags(q.flags, "list apps");
  return {(q.flags & SLIPWAY_LIST_ACTIVE) != 0, read_time(q.since_ns), q.limit,
          (q.flags & SLIPWAY_LIST_ONE_OF_SEVERAL) != 0};
}

inline slipway_list_item view_of(const ListItem& item) {
  auto v = sized<slipway_list_item>();
  v.state = static_cast<std::int32_t>(item.state);
  v.app_id = view(item.app_id);
  v.name = view_or_absent(item.name);
  v.session = view_or_absent(item.session);
  v.submitted_at_ns = time_of(item.submitted_at);
  return v;
}

inline ListItem read(const slipway_list_item& from) {
  const slipway_list_item i = widen(&from);
  return {str(i.app_id), str(i.name), str(i.session), read_state(i.state),
          read_time(i.submitted_at_ns)};
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
