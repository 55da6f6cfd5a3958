#include "tests/bad_plugins/faulty/description.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "slipway/detail/app_views.hpp"
#include "tests/bad_plugins/faulty/scheduler_object.hpp"
#include "tests/bad_plugins/faulty/threads.hpp"

namespace faulty {

namespace {

// Reports wrong values.
void break_values(const StoredStatus& status, slipway_replica_status& replica) {
  if (broken("replica_times_in_milliseconds"))
    replica.started_at_ns = status.started_ns / 1'000'000;
  if (broken("running_replicas_have_ended") && replica.state == SLIPWAY_STATE_RUNNING)
    replica.finished_at_ns = now_ns();
  if (broken("counts_restarts_down")) replica.restarts = -1;
  if (broken("counts_replicas_down")) replica.count = -1;
  if (broken("replicas_without_size")) replica.struct_size = 0;
  if (broken("details_are_words")) replica.details_json = abi::view("port 80");
  static slipway_attempt_status attempt = abi::sized<slipway_attempt_status>();
  if (broken("attempts_without_size")) attempt.struct_size = 0;
  if (broken("attempts_exit_with_minus_one")) {
    attempt.has_exit_code = 1;
    attempt.exit_code = -1;
  }
  if (attempt.struct_size == 0 || attempt.has_exit_code != 0)
    replica.attempts = {&attempt, 1, sizeof attempt};
}

void break_values(slipway_description& app) {
  if (broken("description_without_size")) app.struct_size = 0;
  if (broken("submitted_in_seconds")) app.submitted_at_ns /= 1'000'000'000;
  if (broken("names_the_job")) app.name = abi::view("job-17");
  if (broken("counts_app_restarts_down")) app.num_restarts = -2;  // -1: unknown
  if (broken("url_is_no_utf8")) app.ui_url = abi::view("http://\xff");
}

std::vector<slipway_replica_status> replicas_of(const StoredStatus& status,
                                                const std::string& role) {
  std::vector<slipway_replica_status> out;
  for (const StoredReplica& one : status.replicas) {
    if (one.role != role) continue;
    auto replica = abi::sized<slipway_replica_status>();
    replica.id = one.id;
    if (broken("merges_unasked")) replica.count = 2;
    replica.state = one.state;
    replica.pid = one.pid;
    break_values(status, replica);
    if (!broken("hides_exit_codes")) {
      replica.has_exit_code = one.has_exit_code ? 1 : 0;
      replica.exit_code = one.exit_code;
    }
    out.push_back(replica);
  }
  if (broken("reverses_replicas")) std::reverse(out.begin(), out.end());
  return out;
}

// Merges the replicas into an entry whose ids no host accepts.
void break_merged(std::vector<slipway_replica_status>& replicas) {
  const bool is_negative = broken("merges_negative_ids");
  if (replicas.size() < 2 || (!is_negative && !broken("merges_ids_beyond_int32"))) return;
  replicas.front().id = is_negative ? -1 : std::numeric_limits<std::int32_t>::max();
  replicas.front().count = static_cast<std::int32_t>(replicas.size());
  replicas.resize(1);
}

// Lists the last replica of the first role in a place of its own, or also as that of a role which
// the app does not have.
void break_roles(std::vector<slipway_role_status>& roles) {
  if (roles.empty() || (!broken("splits_a_role") && !broken("invents_a_role"))) return;
  slipway_role_status extra = roles.front();
  if (extra.replicas.count < 2) return;
  const auto* all = extra.replicas.ptr;
  extra.replicas.ptr = all + extra.replicas.count - 1;
  extra.replicas.count = 1;
  if (broken("splits_a_role")) --roles.front().replicas.count;
  if (broken("invents_a_role")) extra.role = abi::view("launcher");
  roles.push_back(extra);
}

std::int32_t reported_state(std::int32_t state) {
  if (broken("ends_as_a_failure") && state == SLIPWAY_STATE_SUCCEEDED) return SLIPWAY_STATE_FAILED;
  if (broken("hides_failures") && state == SLIPWAY_STATE_FAILED) return SLIPWAY_STATE_SUCCEEDED;
  // As a scheduler that requeues a failed job: it has ended, and the next look shows a new attempt.
  static bool has_ended = false;
  if (broken("runs_again") && state >= SLIPWAY_STATE_SUCCEEDED && std::exchange(has_ended, true))
    return SLIPWAY_STATE_RUNNING;
  // The second look shows an earlier state than the first, also of an app that has ended.
  static int looks = 0;
  if (broken("goes_back") && ++looks <= 2)
    return looks == 1 ? SLIPWAY_STATE_RUNNING : SLIPWAY_STATE_PENDING;
  // Even if the app has ended: the host's first look may come that late.
  static bool is_first = true;
  if (broken("invents_a_state") && std::exchange(is_first, false)) return 42;
  if (broken("has_a_private_state") && std::exchange(is_first, false))
    return SLIPWAY_STATE_PRIVATE | 1;
  return state;
}

}  // namespace

slipway_status wait_for_stop(slipway_scheduler* self, const slipway_call* call,
                             slipway_error* err) {
  report_reached();
  pollfd stop{call->cancel != nullptr ? me(self).host->cancel_fd(call->cancel) : -1, POLLIN, 0};
  ::poll(&stop, 1, -1);
  return fail(self, err, SLIPWAY_E_CANCELLED, "the engine has not answered");
}

slipway_status describe(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                        const slipway_describe_opts* opts, slipway_on_description on_description,
                        void* ctx, slipway_error* err) {
  crash_in("describe");
  crash_in_a_thread();
  hang_with("describe_hangs");
  if (::gettid() != ::getpid()) hang_with("describe_hangs_in_threads");
  if (broken("shares_its_iterators") && waiting_iterators() > 0) std::abort();
  if (broken("describe_waits")) return wait_for_stop(self, call, err);
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  const bool wants_definition = (opts->want & SLIPWAY_WANT_APP_DEF) != 0;
  static bool is_first_definition = true;
  if (wants_definition && broken("definition_is_temporary_once") &&
      std::exchange(is_first_definition, false))
    return fail(self, err, SLIPWAY_E_TEMPORARY, "the database restarts");
  const auto app = load(self, id);
  if (!app && broken("describe_fails")) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  if (!app) return SLIPWAY_OK;
  if (broken("crashes_beside_its_supervisor")) std::raise(SIGSEGV);  // which keeps pipes open
  static bool has_described_end = false;
  if (broken("end_is_described_once") && is_terminal(app->status.state) &&
      std::exchange(has_described_end, true))
    return fail(self, err, SLIPWAY_E_TEMPORARY, "the database restarts");
  auto out = abi::sized<slipway_description>();
  out.app_id = id;
  out.state = broken("ends_too_early") ? SLIPWAY_STATE_RUNNING : reported_state(app->status.state);
  out.name = abi::view(app->app.name);
  if (!broken("forgets_times")) {
    out.submitted_at_ns = app->submitted_ns;
    out.started_at_ns = app->status.started_ns;
    out.finished_at_ns = broken("ends_too_early") ? now_ns() : app->status.finished_ns;
  }
  break_values(out);
  std::vector<std::vector<slipway_replica_status>> replicas;
  std::vector<slipway_role_status> roles;
  for (const slipway::Role& one : app->app.roles) {
    replicas.push_back(replicas_of(app->status, one.name));
    if ((opts->want & SLIPWAY_WANT_MERGED) != 0) break_merged(replicas.back());
    auto role = abi::sized<slipway_role_status>();
    role.role = abi::view(one.name);
    role.replicas = abi::array_of<slipway_replica_status_array>(replicas.back());
    roles.push_back(role);
  }
  break_roles(roles);
  if (broken("reverses_roles")) std::reverse(roles.begin(), roles.end());
  if ((opts->want & SLIPWAY_WANT_REPLICAS) != 0)
    out.roles = abi::array_of<slipway_role_status_array>(roles);
  abi::ViewMemory views;
  slipway::AppDef definition = app->app;
  if (broken("describes_another_app")) definition.roles.front().args.emplace_back("--another");
  // No fault, for the metadata {"n": 1, "deep": {"b": 2, "a": 3}}: JSON objects have no order.
  if (broken("sorts_metadata"))
    definition.roles.front().metadata_json = R"({"deep": {"a": 3, "b": 2}, "n": 1})";
  const slipway_app_def definition_view =
      abi::ViewWriter<abi::ViewMemory>(views).view_of(definition);
  if (wants_definition) out.app = &definition_view;
  const slipway_status status =
      call_back("describes_in_a_thread", [&] { return on_description(ctx, &out); });
  return broken("describes_twice") ? on_description(ctx, &out) : status;
}

}  // namespace faulty
