// A scheduler that uses the C interface directly, without a fault except the one in SLIPWAY_FAULT.
#include "tests/bad_plugins/faulty/scheduler.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "slipway/detail/views.hpp"
#include "slipway/ids.hpp"
#include "slipway/json_text.hpp"
#include "tests/bad_plugins/faulty/app_store.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"
#include "tests/bad_plugins/faulty/scheduler_object.hpp"
#include "tests/bad_plugins/faulty/signals.hpp"

namespace faulty {

namespace {

struct Request {
  StoredApp app;
  slipway_str view;
};
const Request& read(const slipway_request* request) {
  return *reinterpret_cast<const Request*>(request);
}

struct Logs {
  const slipway_host* host;
  StoredApp app;
  AppStore store;
  std::string id;
  std::string only;
  bool follow;
  bool delivered = false;
  bool failed = false;
  std::atomic<bool> stopped{false};
};
struct Events {
  AppStore store;
  std::string id;
  int fd;
};

void destroy(slipway_scheduler* self) {
  if (!broken("leaks_object")) delete &me(self);
}

slipway_status run_opts(slipway_scheduler* self, const slipway_call* call,
                        slipway_on_run_opt on_opt, void* ctx, slipway_error* err) {
  if (broken("wants_calls_of_its_own_size") && call->struct_size != sizeof *call)
    return fail(self, err, SLIPWAY_E_ABI, "the call has another size");
  if (broken("reads_error") && err == nullptr) return fail(self, err, SLIPWAY_E_INVALID, "");
  if (broken("needs_services"))
    (void)static_cast<const volatile slipway_host_state_dir*>(
        me(self).host->get_extension(me(self).host, abi::view(SLIPWAY_HOST_STATE_DIR)))
        ->struct_size;
  if (broken("shares_state")) {
    static std::atomic<int> users{0};
    if (++users > 1) std::abort();
    ::usleep(1000);
    --users;
  }
  auto text = abi::sized<slipway_cfg_entry>();
  text.type = broken("default_of_another_type") ? SLIPWAY_TYPE_INT : SLIPWAY_TYPE_STR;
  text.text = abi::view("batch");
  for (const char* name : {"queue", "account"}) {
    auto opt = abi::sized<slipway_run_opt>();
    opt.name = abi::view(name);
    opt.help = abi::view("for the tests");
    opt.default_value = &text;
    if (broken("two_workspace_options")) opt.meaning = SLIPWAY_MEANING_WORKSPACE_DIR;
    const slipway_status status = on_opt(ctx, &opt);
    if (status < 0 && !broken("ignores_stop")) return status;
  }
  return SLIPWAY_OK;
}

slipway_status submit_dryrun(slipway_scheduler* self, const slipway_call*,
                             const slipway_app_def* app, const slipway_cfg* cfg, slipway_on_finding,
                             void*, slipway_request** out, slipway_error* err) {
  if (app->roles.count == 0) {
    if (broken("throws_on_empty_app")) throw std::runtime_error("no roles");
    if (broken("refuses_in_silence")) return SLIPWAY_E_INVALID;
    return fail(self, err, SLIPWAY_E_INVALID, "the app has no roles");
  }
  auto request = std::make_unique<Request>();
  request->app.name = broken("expects_nul") ? std::string(app->name.ptr) : abi::str(app->name);
  request->view = app->name;
  request->app.state = SLIPWAY_STATE_SUCCEEDED;
  for (std::size_t i = 0; i < app->roles.count; ++i) {
    const slipway_role& role = broken("indexes_without_stride")
                                   ? app->roles.ptr[i]
                                   : *SLIPWAY_AT(app->roles, slipway_role, i);
    if (role.retry_policy > SLIPWAY_RETRY_ROLE && !broken("guesses_unknown")) {
      if (broken("traps_on_unknown")) std::abort();
      return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the retry policy is unknown");
    }
    request->app.roles.emplace_back(abi::str(role.name), role.num_replicas);
    if (abi::text(role.entrypoint) == "sleep") request->app.sleeps = true;
  }
  for (std::size_t i = 0; i < cfg->entries.count; ++i) {
    const std::string key = abi::str(SLIPWAY_AT(cfg->entries, slipway_cfg_entry, i)->key);
    if (broken("refuses_unknown_options") && key != "queue" && key != "account")
      return fail(self, err, SLIPWAY_E_INVALID, "there is no such option");
  }
  if (request->app.sleeps) request->app.state = SLIPWAY_STATE_RUNNING;
  if (broken("dryrun_writes")) me(self).store.save("dryrun", request->app);
  *out = reinterpret_cast<slipway_request*>(request.release());
  return SLIPWAY_OK;
}

slipway_status request_print(slipway_scheduler*, const slipway_request* given, int32_t format,
                             slipway_on_str on_text, void* ctx, slipway_error*) {
  const Request& request = read(given);
  const std::string name = broken("keeps_view") ? abi::str(request.view) : request.app.name;
  std::string text = name;
  for (const auto& [role, replicas] : request.app.roles)
    text += " " + role + "x" + std::to_string(replicas);
  if (format == SLIPWAY_PRINT_JSON) {
    text = "{\"app\": " + slipway::json_quote(text) + (broken("half_json") ? "" : "}");
    return on_text(ctx, abi::view(text));
  }
  const slipway_status status = on_text(ctx, abi::view(text));
  if (status < 0 && !broken("ignores_stop")) return status;
  return on_text(ctx, abi::view("\n"));
}

slipway_status request_patch(slipway_scheduler* self, slipway_request*, slipway_str,
                             slipway_error* err) {
  if (broken("takes_any_patch")) return SLIPWAY_OK;
  return fail(self, err, SLIPWAY_E_INVALID, "this is no patch");
}

void request_free(slipway_scheduler*, slipway_request* request) {
  delete reinterpret_cast<Request*>(request);
}

// Acts as a supervisor: ends the app when its owner ends.
void watch_owner(const AppStore& store, const std::string& id, StoredApp app, int owner_fd) {
  if (::fork() != 0) return;
  char byte = 0;
  for (int fd = 3; fd < 1024; ++fd)
    if (fd != owner_fd) ::close(fd);
  while (::read(owner_fd, &byte, 1) > 0) {
  }
  app.state = SLIPWAY_STATE_CANCELLED;
  store.save(id, app);
  ::_exit(0);
}

slipway_status schedule(slipway_scheduler* self, const slipway_call*, const slipway_request* given,
                        const slipway_schedule_opts* opts, slipway_on_submission on_submission,
                        void* ctx, slipway_error*) {
  if (broken("reads_reserved_words") && opts->reserved0 != 0) return SLIPWAY_E_INVALID;
  StoredApp app = read(given).app;
  const std::string id = slipway::make_unique_id(app.name);
  if (broken("loses_a_replica")) --app.roles.front().second;
  if (broken("memory_only")) {
    memory()[id] = app;
  } else {
    me(self).store.save(id, app);
  }
  if ((opts->flags & SLIPWAY_SCHEDULE_FOREGROUND) != 0 && !broken("ignores_owner"))
    watch_owner(me(self).store, id, app, opts->owner_fd);
  const std::string shown = broken("id_has_a_slash") ? "ns/" + id : id;
  auto out = abi::sized<slipway_submission>();
  out.app_id = abi::view(shown);
  return on_submission(ctx, &out);
}

slipway_status describe(slipway_scheduler* self, const slipway_call*, slipway_str id,
                        const slipway_describe_opts* opts, slipway_on_description on_description,
                        void* ctx, slipway_error* err) {
  while (broken("describe_hangs")) ::pause();
  const auto app = load(self, id);
  if (!app && broken("describe_fails")) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  if (!app) return SLIPWAY_OK;
  auto out = abi::sized<slipway_description>();
  out.app_id = id;
  out.state = app->state;
  if (broken("ends_as_a_failure") && out.state == SLIPWAY_STATE_SUCCEEDED)
    out.state = SLIPWAY_STATE_FAILED;
  out.name = abi::view(app->name);
  out.submitted_at_ns = out.started_at_ns = out.finished_at_ns = SLIPWAY_TIME_UNSET;
  std::vector<std::vector<slipway_replica_status>> replicas;
  std::vector<slipway_role_status> roles;
  for (const auto& [name, number] : app->roles) {
    replicas.emplace_back();
    for (std::int32_t k = 0; k < number; ++k) {
      auto replica = abi::sized<slipway_replica_status>();
      replica.id = k;
      if (broken("merges_unasked")) replica.count = number + 1;
      replica.state = app->state;
      replica.started_at_ns = replica.finished_at_ns = SLIPWAY_TIME_UNSET;
      replicas.back().push_back(replica);
    }
    auto role = abi::sized<slipway_role_status>();
    role.role = abi::view(name);
    role.replicas = abi::array_of<slipway_replica_status_array>(replicas.back());
    roles.push_back(role);
  }
  if ((opts->want & SLIPWAY_WANT_REPLICAS) != 0)
    out.roles = abi::array_of<slipway_role_status_array>(roles);
  const slipway_status status = on_description(ctx, &out);
  return broken("describes_twice") ? on_description(ctx, &out) : status;
}

slipway_status cancel(slipway_scheduler* self, const slipway_call*, slipway_str id,
                      const slipway_cancel_opts*, slipway_error* err) {
  while (broken("cancel_hangs")) ::pause();
  auto app = load(self, id);
  if (!app)
    return broken("cancel_fails") ? fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app")
                                  : SLIPWAY_OK;
  if (is_terminal(app->state))
    return broken("cancels_once") ? fail(self, err, SLIPWAY_E_PRECONDITION, "it has ended")
                                  : SLIPWAY_OK;
  app->state = SLIPWAY_STATE_CANCELLED;
  me(self).store.save(abi::str(id), *app);
  return SLIPWAY_OK;
}

slipway_status delete_app(slipway_scheduler* self, const slipway_call*, slipway_str id,
                          const slipway_delete_opts*, slipway_error* err) {
  const auto app = load(self, id);
  if (!app)
    return broken("delete_fails") ? fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app")
                                  : SLIPWAY_OK;
  if (!is_terminal(app->state) && !broken("deletes_what_runs"))
    return fail(self, err, SLIPWAY_E_PRECONDITION, "the app has not ended");
  me(self).store.forget(abi::str(id));
  return SLIPWAY_OK;
}

slipway_status list(slipway_scheduler* self, const slipway_call*, const slipway_list_query* query,
                    slipway_on_list_item on_item, void* ctx, slipway_error*) {
  if ((query->flags & SLIPWAY_LIST_ACTIVE) != 0 && broken("hides_active_apps")) return SLIPWAY_OK;
  for (const std::string& id : me(self).store.ids()) {
    auto item = abi::sized<slipway_list_item>();
    item.app_id = abi::view(id);
    item.submitted_at_ns = SLIPWAY_TIME_UNSET;
    const slipway_status status = on_item(ctx, &item);
    if (status < 0 && !broken("list_goes_on")) return status;
  }
  return SLIPWAY_OK;
}

slipway_status events_open(slipway_scheduler* self, const slipway_call*, slipway_str id,
                           const slipway_events_opts*, slipway_events** out, slipway_error* err) {
  if (!load(self, id)) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  const int fd = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  const itimerspec often{{0, 20'000'000}, {0, 20'000'000}};
  if (!broken("silent_events")) ::timerfd_settime(fd, 0, &often, nullptr);
  *out = reinterpret_cast<slipway_events*>(new Events{me(self).store, abi::str(id), fd});
  return SLIPWAY_OK;
}
Events& events(slipway_events* given) { return *reinterpret_cast<Events*>(given); }
int32_t events_fd(slipway_events* given) { return events(given).fd; }
slipway_status events_drain(slipway_events* given, slipway_error*) {
  std::uint64_t ticks = 0;
  (void)!::read(events(given).fd, &ticks, sizeof ticks);
  const auto app = events(given).store.load(events(given).id);
  return app && !is_terminal(app->state) ? SLIPWAY_OK : SLIPWAY_END;
}
void events_close(slipway_events* given) {
  ::close(events(given).fd);
  delete &events(given);
}

slipway_status log_open(slipway_scheduler* self, const slipway_call*,
                        const slipway_log_query* query, slipway_log_iter** out,
                        slipway_error* err) {
  const auto app = load(self, query->app_id);
  if (!app && !broken("opens_anything")) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  auto* logs = new Logs{
      me(self).host,     app.value_or(StoredApp{}), me(self).store, abi::str(query->app_id), {},
      query->follow != 0};
  if (query->targets.count != 0 && !broken("ignores_targets"))
    logs->only = abi::str(SLIPWAY_AT(query->targets, slipway_log_target, 0)->role);
  *out = reinterpret_cast<slipway_log_iter*>(logs);
  return SLIPWAY_OK;
}
Logs& logs(slipway_log_iter* given) { return *reinterpret_cast<Logs*>(given); }

slipway_status deliver(Logs& from, slipway_on_log_chunk on_chunk, void* ctx) {
  from.delivered = true;
  for (const auto& [role, replicas] : from.app.roles) {
    if (!from.only.empty() && from.only != role) continue;
    for (std::int32_t k = 0; k < replicas; ++k) {
      auto chunk = abi::sized<slipway_log_chunk>();
      chunk.role = abi::view(role);
      chunk.replica = k;
      chunk.bytes = abi::view("hello\n");
      chunk.time_ns = SLIPWAY_TIME_UNSET;
      if (const slipway_status status = on_chunk(ctx, &chunk); status < 0) return status;
    }
  }
  return SLIPWAY_OK;
}

slipway_status log_next(slipway_log_iter* given, int64_t timeout_ms, slipway_on_log_chunk on_chunk,
                        void* ctx, slipway_error* err) {
  using Clock = std::chrono::steady_clock;
  Logs& from = logs(given);
  if (broken("log_fails_for_ever")) {
    from.host->error_set(err, SLIPWAY_E_UNAVAILABLE, abi::view("the log server is away"),
                         {nullptr, 0}, {nullptr, 0});
    return SLIPWAY_E_UNAVAILABLE;
  }
  if (broken("log_is_temporary_for_ever")) {
    from.host->error_set(err, SLIPWAY_E_TEMPORARY, abi::view("the log server is busy"),
                         {nullptr, 0}, {nullptr, 0});
    return SLIPWAY_E_TEMPORARY;
  }
  if (broken("log_is_temporary_once") && !std::exchange(from.failed, true)) {
    from.host->error_set(err, SLIPWAY_E_TEMPORARY, abi::view("the log server restarts"),
                         {nullptr, 0}, {nullptr, 0});
    return SLIPWAY_E_TEMPORARY;
  }
  if (!from.delivered) return deliver(from, on_chunk, ctx);
  if (!from.follow) return SLIPWAY_END;
  while (broken("log_hangs")) ::pause();
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    if (from.stopped && !broken("ignores_log_cancel")) return SLIPWAY_E_CANCELLED;
    const auto app = from.store.load(from.id);
    if (!app || is_terminal(app->state)) return SLIPWAY_END;
    if (Clock::now() >= deadline && !broken("ignores_timeout")) return SLIPWAY_AGAIN;
    ::usleep(5000);
  }
}
void log_cancel(slipway_log_iter* given) { logs(given).stopped = true; }
void log_close(slipway_log_iter* given) { delete &logs(given); }

slipway_status app_fields(slipway_scheduler*, const slipway_call*, const slipway_cfg*,
                          slipway_on_app_field on_field, void* ctx, slipway_error*) {
  auto field = abi::sized<slipway_app_field>();
  for (const char* name : {"image", broken("invents_a_field") ? "resource.cpus" : "macros"}) {
    field.name = abi::view(name);
    if (const slipway_status status = on_field(ctx, &field); status < 0) return status;
  }
  return SLIPWAY_OK;
}

const void* get_extension(slipway_scheduler*, slipway_str id) {
  if (abi::text(id) == SLIPWAY_SCHEDULER_SIGNAL) return signal_table();
  return broken("has_every_extension") ? "" : nullptr;
}

slipway_scheduler_vtbl make_table() {
  auto out = abi::sized<slipway_scheduler_vtbl>();
  out.flags = SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT;
  out.destroy = &destroy;
  out.run_opts = &run_opts;
  out.app_fields = &app_fields;
  out.submit_dryrun = &submit_dryrun;
  out.request_print = &request_print;
  out.request_patch = &request_patch;
  out.request_free = &request_free;
  out.schedule = &schedule;
  out.describe = &describe;
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

}  // namespace

slipway_status create_scheduler(const slipway_host* host, const slipway_call*,
                                const slipway_create_args* args, void** out, slipway_error* err) {
  static const slipway_scheduler_vtbl table = make_table();
  if (broken("wants_its_own_size") && args->struct_size != sizeof *args) return SLIPWAY_E_ABI;
  if (broken("wants_its_own_minor") && host->abi_minor != SLIPWAY_ABI_MINOR) return SLIPWAY_E_ABI;
  const std::string config = abi::str(args->config_json);
  if (config.empty() || config[0] != '{' || config == "{not json") {
    if (broken("silent_about_config")) return SLIPWAY_E_CONFIG;
    if (broken("reads_error")) *reinterpret_cast<volatile int*>(err) = 1;
    host->error_set(err, SLIPWAY_E_CONFIG, abi::view("the configuration is no JSON object"),
                    {nullptr, 0},
                    abi::view(broken("details_are_no_json") ? "line 1" : R"({"line": 1})"));
    return SLIPWAY_E_CONFIG;
  }
  if (broken("changes_sigint")) std::signal(SIGINT, SIG_IGN);
  if (broken("changes_directory")) (void)!::chdir("/");
  *out = &(new Scheduler{{&table}, host, AppStore(state_dir(host))})->base;
  return SLIPWAY_OK;
}

}  // namespace faulty
