#include "description.hpp"

#include <string>
#include <vector>

#include "scheduler_object.hpp"
#include "slipway/detail/app_views.hpp"

namespace runner {

namespace {

std::vector<slipway_replica_status> replicas_of(const StoredStatus& status,
                                                const std::string& role) {
  std::vector<slipway_replica_status> out;
  for (const StoredReplica& one : status.replicas) {
    if (one.role != role) continue;
    auto replica = abi::sized<slipway_replica_status>();
    replica.id = one.id;
    replica.state = one.state;
    replica.pid = one.pid;
    replica.has_exit_code = one.has_exit_code ? 1 : 0;
    replica.exit_code = one.exit_code;
    out.push_back(replica);
  }
  return out;
}

}  // namespace

slipway_status describe(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                        const slipway_describe_opts* opts, slipway_on_description on_description,
                        void* ctx, slipway_error* err) {
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  const auto app = load(self, id);
  if (!app) return SLIPWAY_OK;
  auto out = abi::sized<slipway_description>();
  out.app_id = id;
  out.state = app->status.state;
  out.name = abi::view(app->app.name);
  out.submitted_at_ns = app->submitted_ns;
  out.started_at_ns = app->status.started_ns;
  out.finished_at_ns = app->status.finished_ns;
  std::vector<std::vector<slipway_replica_status>> replicas;
  std::vector<slipway_role_status> roles;
  for (const slipway::Role& one : app->app.roles) {
    replicas.push_back(replicas_of(app->status, one.name));
    auto role = abi::sized<slipway_role_status>();
    role.role = abi::view(one.name);
    role.replicas = abi::array_of<slipway_replica_status_array>(replicas.back());
    roles.push_back(role);
  }
  if ((opts->want & SLIPWAY_WANT_REPLICAS) != 0)
    out.roles = abi::array_of<slipway_role_status_array>(roles);
  abi::ViewMemory views;
  const slipway_app_def shown = abi::ViewWriter<abi::ViewMemory>(views).view_of(app->app);
  if ((opts->want & SLIPWAY_WANT_APP_DEF) != 0) out.app = &shown;
  return on_description(ctx, &out);
}

}  // namespace runner
