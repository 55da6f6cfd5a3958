// A scheduler that uses the C interface directly, without a fault except the one in SLIPWAY_FAULT.
#include "tests/bad_plugins/faulty/scheduler.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "slipway/abi/device_paths.h"
#include "slipway/ids.hpp"
#include "tests/bad_plugins/faulty/app_store.hpp"
#include "tests/bad_plugins/faulty/description.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"
#include "tests/bad_plugins/faulty/limits.hpp"
#include "tests/bad_plugins/faulty/logs.hpp"
#include "tests/bad_plugins/faulty/requests.hpp"
#include "tests/bad_plugins/faulty/scheduler_object.hpp"
#include "tests/bad_plugins/faulty/signals.hpp"
#include "tests/bad_plugins/faulty/supervisor.hpp"
#include "tests/bad_plugins/faulty/threads.hpp"

namespace faulty {

namespace {

struct Events {
  AppStore store;
  std::string id;
  int fd;
  const slipway_host* host;
  bool has_failed = false;
};

// Changes the state of the process, which belongs to the host, as `schedule` must not.
void break_process_rules() {
  if (broken("schedule_changes_directory")) (void)!::chdir("/");
  if (broken("schedule_prints")) std::puts("submitted"), std::fflush(stdout);
  // The fault. NOLINTNEXTLINE(android-cloexec-open)
  if (broken("opens_without_cloexec")) (void)!::open("/dev/null", O_RDONLY);
  while (broken("reaps_any_child") && ::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

void write_to_a_broken_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  ::close(ends[0]);
  (void)!::write(ends[1], "x", 1);
  ::close(ends[1]);
}

void destroy(slipway_scheduler* self) {
  if (!broken("leaks_object")) delete &me(self);
}

slipway_status run_opts(slipway_scheduler* self, const slipway_call* call,
                        slipway_on_run_opt on_opt, void* ctx, slipway_error* err) {
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  if (broken("wants_calls_of_its_own_size") && call->struct_size != sizeof *call)
    return fail(self, err, SLIPWAY_E_ABI, "the call has another size");
  if (broken("writes_error") && err == nullptr) return fail(self, err, SLIPWAY_E_INVALID, "");
  // Crashes on a host without the service.
  if (broken("needs_services"))
    (void)static_cast<const volatile slipway_host_state_dir*>(
        me(self).host->get_extension(me(self).host, abi::view(SLIPWAY_HOST_STATE_DIR)))
        ->struct_size;
  if (broken("run_opts_prints")) std::puts("reading the options"), std::fflush(stdout);
  if (broken("shares_state")) {
    static std::atomic<int> users{0};
    if (++users > 1) std::abort();
    ::usleep(1000);
    --users;
  }
  auto text = abi::sized<slipway_cfg_entry>();
  text.type = broken("default_of_another_type") ? SLIPWAY_TYPE_INT : SLIPWAY_TYPE_STR;
  if (broken("required_option_with_null_default")) text.type = SLIPWAY_TYPE_NONE;
  text.text = abi::view("batch");
  for (const char* name : {"queue", "account"}) {
    auto opt = abi::sized<slipway_run_opt>();
    opt.name = abi::view(name);
    opt.help = abi::view("for the tests");
    opt.default_value = &text;
    if (broken("required_option_with_default") || broken("required_option_with_null_default"))
      opt.required = 1;
    if (broken("two_workspace_options")) opt.meaning = SLIPWAY_MEANING_WORKSPACE_DIR;
    const slipway_status status =
        call_back("lists_options_in_a_thread", [&] { return on_opt(ctx, &opt); });
    if (status < 0 && !broken("ignores_stop")) return status;
  }
  return SLIPWAY_OK;
}

slipway_status refuse_flag(slipway_scheduler* self, slipway_error* err) {
  if (broken("failed_schedule_leaves_files"))
    me(self).store.add(slipway::make_unique_id("failed"), StoredApp{});
  if (broken("failed_schedule_leaves_a_process") && ::fork() == 0) {
    ::setsid();
    for (;;) ::pause();
  }
  return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "a flag is unknown");
}

slipway_status schedule(slipway_scheduler* self, const slipway_call* call,
                        const slipway_request* given, const slipway_schedule_opts* opts,
                        slipway_on_submission on_submission, void* ctx, slipway_error* err) {
  crash_in("schedule");
  hang_with("schedule_hangs");
  static bool is_first = true;
  if (broken("schedule_waits_once") && std::exchange(is_first, false)) {
    std::fputs("the cluster takes the app\n", stderr);
    return wait_for_stop(self, call, err);
  }
  if (broken("reads_reserved_words") && opts->reserved0 != 0) return SLIPWAY_E_INVALID;
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  if ((opts->flags & SLIPWAY_MUST_UNDERSTAND) != 0 && !broken("ignores_flags"))
    return refuse_flag(self, err);
  break_process_rules();
  if (broken("schedule_cancels_itself"))
    return fail(self, err, SLIPWAY_E_CANCELLED, "the cluster cancelled the submission");
  if (broken("schedule_unavailable"))
    return fail(self, err, SLIPWAY_E_UNAVAILABLE, "the cluster is down");
  if (broken("drops_env_of_its_only_app") && !submitted_here().empty())
    return fail(self, err, SLIPWAY_E_TEMPORARY, "the queue is full");
  StoredApp app{app_of(given), me(self).session, now_ns(), {SLIPWAY_STATE_PENDING, 0, 0, {}}};
  for (const slipway::Role& role : app.app.roles)
    for (std::int32_t k = 0; k < role.num_replicas; ++k)
      app.status.replicas.push_back({role.name, k, SLIPWAY_STATE_PENDING, false, 0, 0});
  if (broken("loses_a_replica")) app.status.replicas.pop_back();
  const std::string id = slipway::make_unique_id(app.app.name);
  me(self).store.add(id, app);
  if (broken("schedule_fails_late"))
    return fail(self, err, SLIPWAY_E_UNAVAILABLE, "the cluster went down");
  submitted_here().insert(id);
  const bool is_owned =
      (opts->flags & SLIPWAY_SCHEDULE_FOREGROUND) != 0 && !broken("ignores_owner");
  start_supervisor(me(self).store, id, app, is_owned ? opts->owner_fd : -1);
  const std::string reported_id = broken("id_has_a_slash") ? "ns/" + id : id;
  auto out = abi::sized<slipway_submission>();
  out.app_id = abi::view(reported_id);
  if (broken("never_reports_the_id")) return SLIPWAY_OK;
  const slipway_status status = on_submission(ctx, &out);
  if (broken("crashes_after_submission")) std::raise(SIGSEGV);
  return broken("forgets_the_callback") ? SLIPWAY_OK : status;
}

slipway_status cancel(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                      const slipway_cancel_opts* opts, slipway_error* err) {
  constexpr std::int64_t kGraceMs = 10'000;
  hang_with("cancel_hangs");
  // A test checks that the kit cancels the app of a schedule() that crashed.
  if (broken("crashes_after_submission")) report_reached();
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  const auto app = load(self, id);
  if (!app)
    return broken("cancel_fails") ? fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app")
                                  : SLIPWAY_OK;
  if (is_terminal(app->status.state)) {
    if (broken("cancels_ended_apps")) {
      StoredStatus cancelled = app->status;
      cancelled.state = SLIPWAY_STATE_CANCELLED;
      me(self).store.save(abi::str(id), cancelled);
    }
    if (broken("writes_to_a_broken_pipe")) write_to_a_broken_pipe();
    return broken("cancels_once") ? fail(self, err, SLIPWAY_E_PRECONDITION, "it has ended")
                                  : SLIPWAY_OK;
  }
  // The fault: before the app is RUNNING, there may be no replica to end, so nothing is done.
  if (app->status.state != SLIPWAY_STATE_RUNNING && broken("loses_early_cancel")) return SLIPWAY_OK;
  const std::int64_t grace_ms = opts->grace_ms < 0 ? kGraceMs : opts->grace_ms;
  order_cancel(me(self).store, abi::str(id),
               opts->now != 0 && !broken("ignores_now") ? 0 : grace_ms);
  return SLIPWAY_OK;
}

slipway_status delete_app(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                          const slipway_delete_opts*, slipway_error* err) {
  ignore_limits("delete_app", limits_of(self, call));
  const auto app = load(self, id);
  if (!app)
    return broken("delete_fails") ? fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app")
                                  : SLIPWAY_OK;
  if (!is_terminal(app->status.state) && !broken("deletes_running_app"))
    return fail(self, err, SLIPWAY_E_PRECONDITION, "the app has not ended");
  me(self).store.forget(abi::str(id), !broken("keeps_logs"));
  return SLIPWAY_OK;
}

slipway_status list(slipway_scheduler* self, const slipway_call* call,
                    const slipway_list_query* query, slipway_on_list_item on_item, void* ctx,
                    slipway_error* err) {
  hang_with("list_hangs");
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  if (broken("list_fails_without_message")) return SLIPWAY_E_INTERNAL;
  if ((query->flags & SLIPWAY_LIST_ACTIVE) != 0 && broken("hides_active_apps")) return SLIPWAY_OK;
  std::vector<std::pair<std::string, StoredApp>> apps;
  for (const std::string& id : me(self).store.ids())
    if (auto app = me(self).store.load(id)) apps.emplace_back(id, *std::move(app));
  std::sort(apps.begin(), apps.end(), [](const auto& one, const auto& other) {
    return one.second.submitted_ns > other.second.submitted_ns;
  });
  if (broken("lists_oldest_first")) std::reverse(apps.begin(), apps.end());
  for (const auto& [id, app] : apps) {
    auto item = abi::sized<slipway_list_item>();
    item.app_id = abi::view(id);
    item.state = app.status.state;
    item.name = abi::view(app.app.name);
    if (!broken("forgets_sessions"))
      item.session = abi::view(broken("takes_over_sessions") ? me(self).session : app.session);
    item.submitted_at_ns = broken("forgets_times") ? SLIPWAY_TIME_UNSET : app.submitted_ns;
    if (broken("list_items_without_size")) item.struct_size = 0;
    const slipway_status status = on_item(ctx, &item);
    if (status < 0 && !broken("list_ignores_stop")) return status;
  }
  if (!broken("lists_a_deleted_app")) return SLIPWAY_OK;
  auto item = abi::sized<slipway_list_item>();
  item.app_id = item.name = abi::view("app-deleted");
  item.state = SLIPWAY_STATE_RUNNING;
  item.submitted_at_ns = SLIPWAY_TIME_UNSET;
  return on_item(ctx, &item);
}

slipway_status exists(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                      int32_t* out, slipway_error*) {
  ignore_limits("exists", limits_of(self, call));
  *out = load(self, id) || broken("invents_apps") ? 1 : 0;
  return SLIPWAY_OK;
}

slipway_status events_open(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                           const slipway_events_opts*, slipway_events** out, slipway_error* err) {
  ignore_limits("events_open", limits_of(self, call));
  if (!load(self, id)) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  const int fd = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  // The events come every 20 ms, whether or not the app has changed.
  const itimerspec often{{0, 20'000'000}, {0, 20'000'000}};
  if (!broken("silent_events")) ::timerfd_settime(fd, 0, &often, nullptr);
  *out = reinterpret_cast<slipway_events*>(
      new Events{me(self).store, abi::str(id), fd, me(self).host});
  return SLIPWAY_OK;
}
Events& events(slipway_events* given) { return *reinterpret_cast<Events*>(given); }
int32_t events_fd(slipway_events* given) { return events(given).fd; }
slipway_status events_drain(slipway_events* given, slipway_error* err) {
  if (broken("events_are_temporary_once") && !std::exchange(events(given).has_failed, true)) {
    events(given).host->error_set(err, SLIPWAY_E_TEMPORARY, abi::view("the event server restarts"),
                                  {nullptr, 0}, {nullptr, 0});
    return SLIPWAY_E_TEMPORARY;
  }
  if (broken("events_are_denied")) {
    events(given).host->error_set(err, SLIPWAY_E_DENIED, abi::view("the event server refuses"),
                                  {nullptr, 0}, {nullptr, 0});
    return SLIPWAY_E_DENIED;
  }
  if (broken("shares_its_subscriptions") && waiting_iterators() > 0) std::abort();
  if (broken("events_drain_prints")) std::puts("an event"), std::fflush(stdout);
  std::uint64_t ticks = 0;
  (void)!::read(events(given).fd, &ticks, sizeof ticks);
  const auto status = events(given).store.status(events(given).id);
  return status && !is_terminal(status->state) ? SLIPWAY_OK : SLIPWAY_END;
}
void events_close(slipway_events* given) {
  ::close(events(given).fd);
  delete &events(given);
}

slipway_status app_fields(slipway_scheduler* self, const slipway_call* call, const slipway_cfg*,
                          slipway_on_app_field on_field, void* ctx, slipway_error*) {
  ignore_limits("app_fields", limits_of(self, call));
  auto field = abi::sized<slipway_app_field>();
  for (const char* name : {"image", broken("invents_a_field") ? "resource.cpus" : "macros"}) {
    field.name = abi::view(name);
    if (const slipway_status status = on_field(ctx, &field); status < 0) return status;
  }
  return SLIPWAY_OK;
}

const void* get_extension(slipway_scheduler*, slipway_str id) {
  if (abi::text(id) == SLIPWAY_SCHEDULER_SIGNAL) return signal_table();
  return broken("has_every_extension") ? "" : nullptr;  // "" is not the table of any ability
}

slipway_scheduler_vtbl make_table() {
  auto out = abi::sized<slipway_scheduler_vtbl>();
  out.flags = SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT;
  if (broken("needs_a_later_host")) out.flags |= 0x10000;  // a bit of SLIPWAY_MUST_UNDERSTAND
  out.destroy = &destroy;
  out.run_opts = &run_opts;
  out.app_fields = &app_fields;
  out.submit_dryrun = &submit_dryrun;
  out.request_print = &request_print;
  out.request_patch = &request_patch;
  out.request_free = &request_free;
  out.schedule = &schedule;
  out.describe = &describe;
  out.exists = &exists;
  out.cancel = broken("lacks_a_function") ? nullptr : &cancel;
  out.delete_app = &delete_app;
  out.list = &list;
  out.events_open = &events_open;
  out.events_fd = &events_fd;
  out.events_drain = &events_drain;
  out.events_close = &events_close;
  out.log_open = &log_open;
  out.log_next = &log_next;
  out.log_cancel = &log_cancel;
  out.log_close = &log_close;
  out.get_extension = &get_extension;
  return out;
}

std::filesystem::path state_dir(const slipway_host* host) {
  const auto* service = static_cast<const slipway_host_state_dir*>(
      host->get_extension(host, abi::view(SLIPWAY_HOST_STATE_DIR)));
  std::string out;
  const auto take = [](void* ctx, slipway_str path) -> slipway_status {
    *static_cast<std::string*>(ctx) = abi::str(path);
    return SLIPWAY_OK;
  };
  if (service != nullptr) service->path(host, take, &out, nullptr);
  return out + "/faulty";
}

// Passes texts that cannot be read to the host, in calls for which a host need not read them.
void pass_unreadable_text(const slipway_host* host) {
  const slipway_str unreadable{reinterpret_cast<const char*>(16), 8};
  if (broken("unreadable_extension")) (void)host->get_extension(host, unreadable);
  if (broken("unreadable_message"))
    host->error_set(nullptr, SLIPWAY_E_INVALID, unreadable, {nullptr, 0}, {nullptr, 0});
  if (broken("unreadable_device")) {
    const auto* devices = static_cast<const slipway_host_device_paths*>(
        host->get_extension(host, abi::view(SLIPWAY_HOST_DEVICE_PATHS)));
    if (devices != nullptr) (void)devices->find(host, unreadable, nullptr, nullptr, nullptr);
  }
}

}  // namespace

slipway_status create_scheduler(const slipway_host* host, const slipway_call* call,
                                const slipway_create_args* args, void** out, slipway_error* err) {
  crash_in("create");
  check_name(abi::text(args->session));
  pass_unreadable_text(host);
  ignore_limits("create", slipway::Call(call, host, err));
  static const slipway_scheduler_vtbl table = make_table();
  if (broken("wants_its_own_size") && args->struct_size != sizeof *args) return SLIPWAY_E_ABI;
  if (broken("wants_its_own_minor") && host->abi_minor != SLIPWAY_ABI_MINOR) return SLIPWAY_E_ABI;
  const std::string config = abi::str(args->config_json);
  if (config.empty() || config[0] != '{' || config == "{not json") {
    if (broken("silent_about_config")) return SLIPWAY_E_CONFIG;
    if (broken("writes_error")) *reinterpret_cast<volatile int*>(err) = 1;
    host->error_set(err, SLIPWAY_E_CONFIG, abi::view("the configuration is not a JSON object"),
                    {nullptr, 0},
                    abi::view(broken("details_are_no_json") ? "line 1" : R"({"line": 1})"));
    return SLIPWAY_E_CONFIG;
  }
  if (broken("changes_sigint")) std::signal(SIGINT, SIG_IGN);
  if (broken("changes_directory")) (void)!::chdir("/");
  if (broken("changes_umask")) ::umask(0);
  const AppStore store(state_dir(host), slipway::Host(host));
  *out = &(new Scheduler{{&table}, host, store, abi::str(args->session)})->base;
  return SLIPWAY_OK;
}

}  // namespace faulty
