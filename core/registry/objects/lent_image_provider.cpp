#include "core/registry/objects/lent_image_provider.hpp"

#include <utility>

#include "slipway/detail/guard.hpp"

namespace slipway::registry {
namespace {

using LentTable = slipway_image_provider_vtbl;

// A callback of a scheduler, during which the thread is in the scheduler's call again.
template <class Result>
struct SchedulerCallback {
  slipway_status (*on_result)(void* ctx, Result result);
  void* ctx;
  const PluginCall* caller;  // the scheduler's call

  static slipway_status run(void* self, Result result) noexcept {
    const auto& callback = *static_cast<const SchedulerCallback*>(self);
    const PluginCallback in_caller(callback.caller);
    return callback.on_result(callback.ctx, result);
  }
};

// Calls the function `name` of the plug-in that lends `self`. The function passes a result to
// `on_result`.
template <class Fn, class Result, class... Inputs>
slipway_status forward(slipway_image_provider* self, const char* name, Fn LentTable::*function,
                       const slipway_call* call,
                       slipway_status (*on_result)(void* ctx, Result result), void* ctx,
                       slipway_error* err, Inputs... inputs) {
  const LentImageProvider& lent = LentImageProvider::of(self);
  const PluginImageProvider& provider = lent.provider();
  SchedulerCallback<Result> callback{on_result, ctx, PluginCall::current()};
  return abi::guard(lent.host(), err, [&] {
    try {
      return provider.call_infallible(name, [&] {
        return (provider.table().*function)(provider.get(), call, inputs...,
                                            &SchedulerCallback<Result>::run, &callback, err);
      });
    } catch (const Error& error) {
      // Without where(): guard() would put that plug-in id before the message, which has it.
      throw Error(error.code(), error.message(), error.hint());
    }
  });
}

// The functions that a scheduler calls.
namespace lent_functions {

void destroy(slipway_image_provider*) {}

slipway_status resolve(slipway_image_provider* self, const slipway_call* call, slipway_str image,
                       slipway_on_image on_image, void* ctx, slipway_error* err) {
  return forward(self, "resolve", &LentTable::resolve, call, on_image, ctx, err, image);
}

slipway_status fetch(slipway_image_provider* self, const slipway_call* call, slipway_str image,
                     slipway_on_image on_image, void* ctx, slipway_error* err) {
  return forward(self, "fetch", &LentTable::fetch, call, on_image, ctx, err, image);
}

slipway_status fetch_role(slipway_image_provider* self, const slipway_call* call,
                          const slipway_role* role, slipway_on_image on_image, void* ctx,
                          slipway_error* err) {
  return forward(self, "fetch_role", &LentTable::fetch_role, call, on_image, ctx, err, role);
}

slipway_status get_entrypoint(slipway_image_provider* self, const slipway_call* call,
                              slipway_str img_root, const slipway_role* role,
                              slipway_on_str on_entrypoint, void* ctx, slipway_error* err) {
  return forward(self, "get_entrypoint", &LentTable::get_entrypoint, call, on_entrypoint, ctx, err,
                 img_root, role);
}

slipway_status get_cwd(slipway_image_provider* self, const slipway_call* call, slipway_str image,
                       slipway_on_str on_cwd, void* ctx, slipway_error* err) {
  return forward(self, "get_cwd", &LentTable::get_cwd, call, on_cwd, ctx, err, image);
}

slipway_status get_replica_param(slipway_image_provider* self, const slipway_call* call,
                                 slipway_str img_root, const slipway_role* role,
                                 slipway_on_replica_param on_param, void* ctx, slipway_error* err) {
  return forward(self, "get_replica_param", &LentTable::get_replica_param, call, on_param, ctx, err,
                 img_root, role);
}

slipway_status get_use_lock(slipway_image_provider* self, const slipway_call* call,
                            slipway_str image, slipway_on_str on_path, void* ctx,
                            slipway_error* err) {
  return forward(self, "get_use_lock", &LentTable::get_use_lock, call, on_path, ctx, err, image);
}

}  // namespace lent_functions

// Returns those of the functions above that call a function which the provider implements.
LentTable lent_table_for(const PluginImageProvider& provider) {
  auto out = abi::sized<LentTable>();
  const auto add = [&](auto LentTable::*member, auto function) {
    if (provider.has(member)) out.*member = function;
  };
  add(&LentTable::destroy, &lent_functions::destroy);
  add(&LentTable::resolve, &lent_functions::resolve);
  add(&LentTable::fetch, &lent_functions::fetch);
  add(&LentTable::fetch_role, &lent_functions::fetch_role);
  add(&LentTable::get_entrypoint, &lent_functions::get_entrypoint);
  add(&LentTable::get_cwd, &lent_functions::get_cwd);
  add(&LentTable::get_replica_param, &lent_functions::get_replica_param);
  add(&LentTable::get_use_lock, &lent_functions::get_use_lock);
  return out;
}

}  // namespace

LentImageProvider::LentImageProvider(PluginImageProvider provider, const slipway_host* host)
    : slipway_image_provider{&table_},
      table_(lent_table_for(provider)),
      provider_(std::move(provider)),
      host_(host) {}

}  // namespace slipway::registry
