// A scheduler that runs programs on this machine, and uses the C interface directly.
#include "scheduler.hpp"

#include <fcntl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app_store.hpp"
#include "description.hpp"
#include "logs.hpp"
#include "scheduler_object.hpp"
#include "signals.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/ids.hpp"
#include "slipway/json_text.hpp"
#include "supervisor.hpp"

namespace runner {

namespace {

struct Request {
  slipway::AppDef app;
};
const Request& read(const slipway_request* request) {
  return *reinterpret_cast<const Request*>(request);
}

struct Events {
  AppStore store;
  std::string id;
  int fd;
};

void destroy(slipway_scheduler* self) { delete &me(self); }

slipway_status run_opts(slipway_scheduler* self, const slipway_call* call,
                        slipway_on_run_opt on_opt, void* ctx, slipway_error* err) {
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  auto text = abi::sized<slipway_cfg_entry>();
  text.type = SLIPWAY_TYPE_STR;
  text.text = abi::view("batch");
  for (const char* name : {"queue", "account"}) {
    auto opt = abi::sized<slipway_run_opt>();
    opt.name = abi::view(name);
    opt.help = abi::view("for the tests");
    opt.default_value = &text;
    const slipway_status status = on_opt(ctx, &opt);
    if (status < 0) return status;
  }
  return SLIPWAY_OK;
}

slipway_status submit_dryrun(slipway_scheduler* self, const slipway_call* call,
                             const slipway_app_def* app, const slipway_cfg*, slipway_on_finding,
                             void*, slipway_request** out, slipway_error* err) {
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  if (app->roles.count == 0) {
    return fail(self, err, SLIPWAY_E_INVALID, "the app has no roles");
  }
  auto request = std::make_unique<Request>();
  request->app = abi::read(*app);
  for (const slipway::Role& role : request->app.roles) {
    if (!is_known(role.retry_policy))
      return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the retry policy is unknown");
    for (const slipway::Mount& mount : role.mounts) {
      if (!is_known(mount.kind))
        return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the kind of a mount is unknown");
    }
  }
  *out = reinterpret_cast<slipway_request*>(request.release());
  return SLIPWAY_OK;
}

slipway_status request_print(slipway_scheduler* self, const slipway_request* given, int32_t format,
                             slipway_on_str on_text, void* ctx, slipway_error* err) {
  if (format != SLIPWAY_PRINT_TEXT && format != SLIPWAY_PRINT_JSON)
    return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the format is unknown");
  const Request& request = read(given);
  std::string text = request.app.name;
  for (const slipway::Role& role : request.app.roles)
    text += " " + role.name + "x" + std::to_string(role.num_replicas);
  if (format == SLIPWAY_PRINT_JSON) {
    text = "{\"app\": " + slipway::json_quote(text) + "}";
    return on_text(ctx, abi::view(text));
  }
  const slipway_status status = on_text(ctx, abi::view(text));
  if (status < 0) return status;
  return on_text(ctx, abi::view("\n"));
}

slipway_status request_patch(slipway_scheduler* self, slipway_request*, slipway_str,
                             slipway_error* err) {
  return fail(self, err, SLIPWAY_E_INVALID, "this is no patch");
}

void request_free(slipway_scheduler*, slipway_request* request) {
  delete reinterpret_cast<Request*>(request);
}

slipway_status schedule(slipway_scheduler* self, const slipway_call* call,
                        const slipway_request* given, const slipway_schedule_opts* opts,
                        slipway_on_submission on_submission, void* ctx, slipway_error* err) {
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  if ((opts->flags & SLIPWAY_MUST_UNDERSTAND) != 0)
    return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "a flag is unknown");
  StoredApp app{read(given).app, me(self).session, now_ns(), {SLIPWAY_STATE_PENDING, 0, 0, {}}};
  for (const slipway::Role& role : app.app.roles)
    for (std::int32_t k = 0; k < role.num_replicas; ++k)
      app.status.replicas.push_back({role.name, k, SLIPWAY_STATE_PENDING, false, 0, 0});
  const std::string id = slipway::make_unique_id(app.app.name);
  me(self).store.add(id, app);
  const bool is_owned = (opts->flags & SLIPWAY_SCHEDULE_FOREGROUND) != 0;
  start_supervisor(me(self).store, id, app, is_owned ? opts->owner_fd : -1);
  auto out = abi::sized<slipway_submission>();
  out.app_id = abi::view(id);
  return on_submission(ctx, &out);
}

slipway_status cancel(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                      const slipway_cancel_opts* opts, slipway_error* err) {
  constexpr std::int64_t kGrace_ms = 10'000;
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  const auto app = load(self, id);
  if (!app) return SLIPWAY_OK;
  if (is_terminal(app->status.state)) return SLIPWAY_OK;
  const std::int64_t grace_ms = opts->grace_ms < 0 ? kGrace_ms : opts->grace_ms;
  order_cancel(me(self).store, abi::str(id), opts->now != 0 ? 0 : grace_ms);
  return SLIPWAY_OK;
}

slipway_status delete_app(slipway_scheduler* self, const slipway_call*, slipway_str id,
                          const slipway_delete_opts*, slipway_error* err) {
  const auto app = load(self, id);
  if (!app) return SLIPWAY_OK;
  if (!is_terminal(app->status.state))
    return fail(self, err, SLIPWAY_E_PRECONDITION, "the app has not ended");
  me(self).store.forget(abi::str(id));
  return SLIPWAY_OK;
}

slipway_status list(slipway_scheduler* self, const slipway_call* call, const slipway_list_query*,
                    slipway_on_list_item on_item, void* ctx, slipway_error* err) {
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  std::vector<std::pair<std::string, StoredApp>> apps;
  for (const std::string& id : me(self).store.ids())
    if (auto app = me(self).store.load(id)) apps.emplace_back(id, *std::move(app));
  std::sort(apps.begin(), apps.end(), [](const auto& one, const auto& other) {
    return one.second.submitted_ns > other.second.submitted_ns;
  });
  for (const auto& [id, app] : apps) {
    auto item = abi::sized<slipway_list_item>();
    item.app_id = abi::view(id);
    item.state = app.status.state;
    item.name = abi::view(app.app.name);
    item.session = abi::view(app.session);
    item.submitted_at_ns = app.submitted_ns;
    const slipway_status status = on_item(ctx, &item);
    if (status < 0) return status;
  }
  return SLIPWAY_OK;
}

slipway_status exists(slipway_scheduler* self, const slipway_call*, slipway_str id, int32_t* out,
                      slipway_error*) {
  *out = load(self, id) ? 1 : 0;
  return SLIPWAY_OK;
}

slipway_status events_open(slipway_scheduler* self, const slipway_call*, slipway_str id,
                           const slipway_events_opts*, slipway_events** out, slipway_error* err) {
  if (!load(self, id)) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  const int fd = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  const itimerspec often{{0, 20'000'000}, {0, 20'000'000}};
  ::timerfd_settime(fd, 0, &often, nullptr);
  *out = reinterpret_cast<slipway_events*>(new Events{me(self).store, abi::str(id), fd});
  return SLIPWAY_OK;
}
Events& events(slipway_events* given) { return *reinterpret_cast<Events*>(given); }
int32_t events_fd(slipway_events* given) { return events(given).fd; }
slipway_status events_drain(slipway_events* given, slipway_error*) {
  std::uint64_t ticks = 0;
  (void)!::read(events(given).fd, &ticks, sizeof ticks);
  const auto status = events(given).store.status(events(given).id);
  return status && !is_terminal(status->state) ? SLIPWAY_OK : SLIPWAY_END;
}
void events_close(slipway_events* given) {
  ::close(events(given).fd);
  delete &events(given);
}

slipway_status app_fields(slipway_scheduler*, const slipway_call*, const slipway_cfg*,
                          slipway_on_app_field on_field, void* ctx, slipway_error*) {
  auto field = abi::sized<slipway_app_field>();
  for (const char* name : {"image", "macros"}) {
    field.name = abi::view(name);
    if (const slipway_status status = on_field(ctx, &field); status < 0) return status;
  }
  return SLIPWAY_OK;
}

const void* get_extension(slipway_scheduler*, slipway_str id) {
  if (abi::text(id) == SLIPWAY_SCHEDULER_SIGNAL) return signal_table();
  return nullptr;
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
  out.exists = &exists;
  out.cancel = &cancel;
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
  return out + "/runner";
}

}  // namespace

slipway_status create_scheduler(const slipway_host* host, const slipway_call*,
                                const slipway_create_args* args, void** out, slipway_error* err) {
  static const slipway_scheduler_vtbl table = make_table();
  const std::string config = abi::str(args->config_json);
  if (config.empty() || config[0] != '{') {
    host->error_set(err, SLIPWAY_E_CONFIG, abi::view("the configuration is no JSON object"),
                    {nullptr, 0}, abi::view(R"({"line": 1})"));
    return SLIPWAY_E_CONFIG;
  }
  const AppStore store(state_dir(host), slipway::Host(host));
  *out = &(new Scheduler{{&table}, host, store, abi::str(args->session)})->base;
  return SLIPWAY_OK;
}

}  // namespace runner
