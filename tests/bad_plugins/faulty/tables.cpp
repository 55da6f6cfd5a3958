#include "tests/bad_plugins/faulty/tables.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "slipway/plugin.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"
#include "tests/bad_plugins/faulty/threads.hpp"

namespace faulty {

namespace {

namespace abi = slipway::abi;

slipway_status refuse_size(const slipway_host* host, slipway_error* err) {
  host->error_set(err, SLIPWAY_E_ABI, abi::view("a struct has another size"), {nullptr, 0},
                  {nullptr, 0});
  return SLIPWAY_E_ABI;
}

slipway_status make_param(slipway_image_provider* self, const slipway_call*, slipway_str,
                          const slipway_role* role, slipway_on_replica_param on_param, void* ctx,
                          slipway_error* err) {
  if (role->struct_size != sizeof *role && broken("wants_roles_of_its_own_size"))
    return refuse_size(abi::object(self).host, err);
  std::string command;
  for (std::size_t i = 0; i < role->args.count && broken("reads_roles_by_index"); ++i)
    command += abi::str(role->args.ptr[i]);  // ignores the stride
  for (const slipway::Mount& mount : abi::read(*role).mounts)
    if (!is_known(mount.kind) && broken("traps_on_unknown_mounts")) std::abort();
  auto param = abi::sized<slipway_replica_param>();
  return on_param(ctx, &param);
}

slipway_status resolve_image(slipway_image_provider* self, const slipway_call* call,
                             slipway_str image, slipway_on_image on_image, void* ctx,
                             slipway_error* err) {
  if (broken("resolve_throws")) throw std::runtime_error("no such tag");
  return call_back("resolves_in_a_thread", [&] {
    return abi::kImageProviderTable.resolve(self, call, image, on_image, ctx, err);
  });
}

slipway_status list_all(slipway_named_resources*, const slipway_call*,
                        slipway_on_named_resource on_resource, void* ctx, slipway_error*) {
  if (broken("resources_list_prints")) std::puts("two resources"), std::fflush(stdout);
  const auto resource = abi::sized<slipway_resource>();
  auto one = abi::sized<slipway_named_resource>();
  one.resource = &resource;
  one.name = abi::view("faulty.small");
  const slipway_status status = on_resource(ctx, &one);
  if (status < 0 && !broken("resources_ignore_stop")) return status;
  one.name = abi::view("faulty.large");
  return on_resource(ctx, &one);
}

slipway_status list_component(slipway_components*, const slipway_call*,
                              const slipway_component_query*, slipway_on_component on_component,
                              void* ctx, slipway_error*) {
  auto null_default = abi::sized<slipway_cfg_entry>();
  null_default.type = SLIPWAY_TYPE_NONE;
  auto script = abi::sized<slipway_component_param>();
  script.name = abi::view("script");
  script.required = 1;
  script.default_value = &null_default;
  auto info = abi::sized<slipway_component_info>();
  info.name = abi::view("faulty.run");
  info.params = {&script, 1, sizeof script};
  return on_component(ctx, &info);
}

slipway_status build_app(slipway_components* self, const slipway_call* call,
                         const slipway_component_order* order, slipway_on_app_def on_app, void* ctx,
                         slipway_error* err) {
  if (order->struct_size != sizeof *order) return refuse_size(abi::object(self).host, err);
  return abi::kComponentsTable.build(self, call, order, on_app, ctx, err);
}

slipway_status plan_image(slipway_workspace* self, const slipway_call* call,
                          const slipway_workspace_order* order, slipway_on_workspace on_result,
                          void* ctx, slipway_error* err) {
  if (order->struct_size != sizeof *order) return refuse_size(abi::object(self).host, err);
  return abi::kWorkspaceTable.plan(self, call, order, on_result, ctx, err);
}

slipway_status build_image(slipway_workspace* self, const slipway_call* call,
                           const slipway_workspace_order* order, slipway_on_workspace on_result,
                           void* ctx, slipway_error* err) {
  if (order->struct_size != sizeof *order) return refuse_size(abi::object(self).host, err);
  return abi::kWorkspaceTable.build(self, call, order, on_result, ctx, err);
}

}  // namespace

void break_table(slipway_image_provider& images) {
  static slipway_image_provider_vtbl table = abi::kImageProviderTable;
  table.resolve = &resolve_image;
  table.get_replica_param = &make_param;
  if (broken("reads_roles_by_index") || broken("traps_on_unknown_mounts") ||
      broken("wants_roles_of_its_own_size") || broken("resolves_in_a_thread") ||
      broken("resolve_throws"))
    images.vtbl = &table;
}

void break_table(slipway_named_resources& resources) {
  static slipway_named_resources_vtbl table = abi::kNamedResourcesTable;
  table.list = &list_all;
  if (broken("resources_ignore_stop") || broken("resources_list_prints")) resources.vtbl = &table;
}

void break_table(slipway_components& components) {
  static slipway_components_vtbl table = abi::kComponentsTable;
  if (broken("builds_orders_of_its_own_size")) table.build = &build_app;
  if (broken("required_with_null_default")) table.list = &list_component;
  components.vtbl = &table;
}

void break_table(slipway_workspace& workspace) {
  static slipway_workspace_vtbl table = abi::kWorkspaceTable;
  if (broken("plans_orders_of_its_own_size")) table.plan = &plan_image;
  if (broken("copies_orders_of_its_own_size")) table.build = &build_image;
  workspace.vtbl = &table;
}

}  // namespace faulty
