#include "sdk/check/host/limited_calls.hpp"

#include <utility>

#include "sdk/check/host/component_calls.hpp"
#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/samples.hpp"

namespace slipway::check {

namespace {

template <class View>
slipway_status ignore(void* caller, const View*) {
  static_cast<Caller*>(caller)->called_back();
  return SLIPWAY_OK;
}
slipway_status ignore_text(void* caller, slipway_str) {
  static_cast<Caller*>(caller)->called_back();
  return SLIPWAY_OK;
}

}  // namespace

LimitedCalls::LimitedCalls(const Trial& trial) : trial_(trial) {
  add_creation();
  if (trial.kind == SLIPWAY_KIND_SCHEDULER) {
    scheduler_.emplace(trial);
    add_scheduler();
  } else {
    other_.emplace(trial);
    if (trial.kind == SLIPWAY_KIND_IMAGE_PROVIDER) add_images();
    if (trial.kind == SLIPWAY_KIND_NAMED_RESOURCES) add_resources();
    if (trial.kind == SLIPWAY_KIND_COMPONENT) add_components();
    if (trial.kind == SLIPWAY_KIND_WORKSPACE) add_workspaces();
  }
  memory_.seal();
}

void LimitedCalls::add(std::string name, decltype(LimitedCall::make) make) {
  calls_.push_back({std::move(name), std::move(make)});
}

void LimitedCalls::add_creation() {
  const slipway_plugin& plugin = load_checked(trial_);
  const slipway_host* host = kit_host(trial_.directory + "/state");
  initialise(trial_, plugin, host);
  add("create", [this, &plugin, host](const slipway_call* call, slipway_error* error) {
    void* object = nullptr;
    const slipway_status status =
        create_object(trial_, plugin, host, trial_.subject.config_of(trial_.kind, trial_.provider),
                      &object, error, kSession, call);
    if (status >= 0) destroy_object(trial_, object);
    return status;
  });
}

void LimitedCalls::add_scheduler() {
  using T = slipway_scheduler_vtbl;
  slipway_scheduler* self = scheduler_->object();
  const T& table = scheduler_->table();
  const slipway_str id = memory_.text(kNoSuchApp);
  const slipway_app_def* app = hostile_app(memory_, scheduler_->app());
  const slipway_cfg* cfg = hostile_cfg(memory_, scheduler_->cfg());
  auto cancel = abi::sized<slipway_cancel_opts>();
  cancel.grace_ms = -1;
  const slipway_cancel_opts* cancel_opts = memory_.object(cancel);
  const auto* describe_opts = memory_.object(abi::sized<slipway_describe_opts>());
  const auto* delete_opts = memory_.object(abi::sized<slipway_delete_opts>());
  const auto* query = memory_.object(abi::sized<slipway_list_query>());
  add("run_opts", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.run_opts(self, call, &ignore<slipway_run_opt>, &caller_, error);
  });
  if (abi::has(table, &T::app_fields)) {
    add("app_fields", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.app_fields(self, call, cfg, &ignore<slipway_app_field>, &caller_, error);
    });
  }
  add("submit_dryrun", [=, this, &table](const slipway_call* call, slipway_error* error) {
    slipway_request* request = nullptr;
    const slipway_status status = table.submit_dryrun(
        self, call, app, cfg, &ignore<slipway_finding>, &caller_, &request, error);
    scheduler_->free(request);
    return status;
  });
  add("describe", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.describe(self, call, id, describe_opts, &ignore<slipway_description>, &caller_,
                          error);
  });
  if (abi::has(table, &T::exists)) {
    add("exists", [=, &table](const slipway_call* call, slipway_error* error) {
      std::int32_t there = 0;
      return table.exists(self, call, id, &there, error);
    });
  }
  add("cancel", [=, &table](const slipway_call* call, slipway_error* error) {
    return table.cancel(self, call, id, cancel_opts, error);
  });
  if (abi::has(table, &T::delete_app)) {
    add("delete_app", [=, &table](const slipway_call* call, slipway_error* error) {
      return table.delete_app(self, call, id, delete_opts, error);
    });
  }
  add("list", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.list(self, call, query, &ignore<slipway_list_item>, &caller_, error);
  });
  add_subscriptions(id);
}

void LimitedCalls::add_subscriptions(slipway_str app_id) {
  using T = slipway_scheduler_vtbl;
  slipway_scheduler* self = scheduler_->object();
  const T& table = scheduler_->table();
  auto logs = abi::sized<slipway_log_query>();
  logs.app_id = app_id;
  logs.targets.stride = sizeof(slipway_log_target);  // an empty array, which selects every role
  logs.since_ns = logs.until_ns = SLIPWAY_TIME_UNSET;
  const slipway_log_query* query = memory_.object(logs);
  const auto* opts = memory_.object(abi::sized<slipway_events_opts>());
  if (abi::has(table, &T::events_open)) {
    add("events_open", [=, &table](const slipway_call* call, slipway_error* error) {
      slipway_events* events = nullptr;
      const slipway_status status = table.events_open(self, call, app_id, opts, &events, error);
      if (events != nullptr) table.events_close(events);
      return status;
    });
  }
  if (abi::has(table, &T::log_open)) {
    add("log_open", [=, &table](const slipway_call* call, slipway_error* error) {
      slipway_log_iter* iterator = nullptr;
      const slipway_status status = table.log_open(self, call, query, &iterator, error);
      if (iterator != nullptr) table.log_close(iterator);
      return status;
    });
  }
}

void LimitedCalls::add_images() {
  using T = slipway_image_provider_vtbl;
  slipway_image_provider* self = other_->images();
  const T& table = *self->vtbl;
  const slipway_str image = memory_.text(sample_image(trial_));
  add("resolve", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.resolve(self, call, image, &ignore<slipway_image>, &caller_, error);
  });
  add("fetch", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.fetch(self, call, image, &ignore<slipway_image>, &caller_, error);
  });
  if (abi::has(table, &T::get_cwd)) {
    add("get_cwd", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.get_cwd(self, call, image, &ignore_text, &caller_, error);
    });
  }
  if (abi::has(table, &T::get_use_lock)) {
    // Behind `fetch` in the list: the contract allows it only after a fetch of the image.
    add("get_use_lock", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.get_use_lock(self, call, image, &ignore_text, &caller_, error);
    });
  }
  add_role_calls();
}

void LimitedCalls::add_role_calls() {
  using T = slipway_image_provider_vtbl;
  slipway_image_provider* self = other_->images();
  const T& table = *self->vtbl;
  const slipway_str root = memory_.text(trial_.directory);  // stands for a fetched image
  const slipway_role* role =
      hostile_role(memory_, built_in_app(sample_image(trial_)).roles.front());
  if (abi::has(table, &T::fetch_role)) {
    add("fetch_role", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.fetch_role(self, call, role, &ignore<slipway_image>, &caller_, error);
    });
  }
  if (abi::has(table, &T::get_entrypoint)) {
    add("get_entrypoint", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.get_entrypoint(self, call, root, role, &ignore_text, &caller_, error);
    });
  }
  if (abi::has(table, &T::get_replica_param)) {
    add("get_replica_param", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.get_replica_param(self, call, root, role, &ignore<slipway_replica_param>,
                                     &caller_, error);
    });
  }
}

void LimitedCalls::add_resources() {
  slipway_named_resources* self = other_->resources();
  const slipway_named_resources_vtbl& table = *self->vtbl;
  const slipway_str name = memory_.text("slipway-plugin-check.no.such.resource");
  add("list", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.list(self, call, &ignore<slipway_named_resource>, &caller_, error);
  });
  if (abi::has(table, &slipway_named_resources_vtbl::get)) {
    add("get", [=, this, &table](const slipway_call* call, slipway_error* error) {
      return table.get(self, call, name, &ignore<slipway_named_resource>, &caller_, error);
    });
  }
}

void LimitedCalls::add_components() {
  slipway_components* self = other_->components();
  const slipway_components_vtbl& table = *self->vtbl;
  const auto* query = memory_.object(abi::sized<slipway_component_query>());
  add("list", [=, this, &table](const slipway_call* call, slipway_error* error) {
    return table.list(self, call, query, &ignore<slipway_component_info>, &caller_, error);
  });
  for (const Component& component : all_components(*other_)) {
    auto order = abi::sized<slipway_component_order>();
    order.name = memory_.text(component.name);
    order.args = hostile_cfg(memory_, component.args);
    const slipway_component_order* placed = memory_.object(order);
    add("build of " + component.name,
        [=, this, &table](const slipway_call* call, slipway_error* error) {
          return table.build(self, call, placed, &ignore<slipway_app_def>, &caller_, error);
        });
  }
}

void LimitedCalls::add_workspaces() {
  using T = slipway_workspace_vtbl;
  slipway_workspace* self = other_->workspace();
  const T& table = *self->vtbl;
  const std::string source = sample_workspace(trial_.directory);
  for (const bool builds : {false, true}) {
    add(builds ? "build" : "plan",
        [=, this, &table](const slipway_call* call, slipway_error* error) {
          GuardedMemory memory;
          auto order = abi::sized<slipway_workspace_order>();
          order.source = memory.text(source);
          order.directory = memory.text(trial_.directory + "/copies");
          order.name = memory.text("copy" + std::to_string(++copies_));  // names are used once
          const slipway_workspace_order* placed = memory.object(order);
          memory.seal();
          return (builds ? table.build : table.plan)(
              self, call, placed, &ignore<slipway_workspace_result>, &caller_, error);
        });
  }
  if (abi::has(table, &T::discard)) {
    const slipway_str image = memory_.text("/no/such/image");
    add("discard", [=, &table](const slipway_call* call, slipway_error* error) {
      return table.discard(self, call, image, error);
    });
  }
}

}  // namespace slipway::check
