// Converts apps between C++ values and C views.
#pragma once

#include <deque>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::abi {

/// A C view of a resource, which must outlive it. Not movable, because the view points into this
/// object.
class ResourceView {
 public:
  explicit ResourceView(const Resource& resource)
      : devices_(views_of(resource.devices)), view_(sized<slipway_resource>()) {
    view_.cpu = resource.cpu;
    view_.gpu = resource.gpu;
    view_.mem_mb = resource.mem_mb;
    view_.capabilities_json = view_or_absent(resource.capabilities_json);
    view_.devices = array_of<slipway_kv_i64_array>(devices_);
    view_.tags_json = view_or_absent(resource.tags_json);
  }
  ResourceView(const ResourceView&) = delete;
  ResourceView& operator=(const ResourceView&) = delete;
  const slipway_resource* get() const { return &view_; }

 private:
  std::vector<slipway_kv_i64> devices_;
  slipway_resource view_;
};

/// A C view of a role, which must outlive it.
class RoleView {
 public:
  explicit RoleView(const Role& role)
      : args_(views_of(role.args)),
        env_(views_of(role.env)),
        ports_(views_of(role.port_map)),
        resource_(role.resource),
        view_(sized<slipway_role>()) {
    mounts_.reserve(role.mounts.size());
    for (const Mount& mount : role.mounts) {
      auto m = sized<slipway_mount>();
      m.kind = static_cast<std::int32_t>(mount.kind);
      m.src = view(mount.src);
      m.dst = view(mount.dst);
      m.permissions = view(mount.permissions);
      m.read_only = mount.read_only ? 1 : 0;
      mounts_.push_back(m);
    }
    view_.retry_policy = static_cast<std::int32_t>(role.retry_policy);
    view_.name = view(role.name);
    view_.image = view(role.image);
    view_.base_image = view_or_absent(role.base_image);
    view_.entrypoint = view(role.entrypoint);
    view_.args = array_of<slipway_str_array>(args_);
    view_.env = array_of<slipway_kv_array>(env_);
    view_.num_replicas = role.num_replicas;
    view_.min_replicas = role.min_replicas ? *role.min_replicas : -1;
    view_.max_retries = role.max_retries;
    view_.resource = role.resource == Resource{} ? nullptr : resource_.get();
    view_.port_map = array_of<slipway_kv_i64_array>(ports_);
    view_.mounts = array_of<slipway_mount_array>(mounts_);
    view_.metadata_json = view_or_absent(role.metadata_json);
    for (const auto& [scheduler, resource] : role.scheduler_resources) {
      auto special = sized<slipway_scheduler_resource>();
      special.scheduler = view(scheduler);
      special.resource = special_owners_.emplace_back(resource).get();
      specials_.push_back(special);
    }
    view_.scheduler_resources = array_of<slipway_scheduler_resource_array>(specials_);
  }
  RoleView(const RoleView&) = delete;
  RoleView& operator=(const RoleView&) = delete;
  const slipway_role* get() const { return &view_; }

 private:
  std::vector<slipway_str> args_;
  std::vector<slipway_kv> env_;
  std::vector<slipway_kv_i64> ports_;
  std::vector<slipway_mount> mounts_;
  ResourceView resource_;
  std::deque<ResourceView> special_owners_;  // a deque never moves its elements
  std::vector<slipway_scheduler_resource> specials_;
  slipway_role view_;
};

/// A C view of an app, which must outlive it.
class AppDefView {
 public:
  explicit AppDefView(const AppDef& app)
      : metadata_(views_of(app.metadata)), view_(sized<slipway_app_def>()) {
    for (const Role& role : app.roles) owners_.emplace_back(role);
    roles_.reserve(app.roles.size());
    for (const RoleView& owner : owners_) roles_.push_back(*owner.get());
    view_.name = view(app.name);
    view_.roles = array_of<slipway_role_array>(roles_);
    view_.metadata = array_of<slipway_kv_array>(metadata_);
  }
  AppDefView(const AppDefView&) = delete;
  AppDefView& operator=(const AppDefView&) = delete;
  const slipway_app_def* get() const { return &view_; }

 private:
  std::deque<RoleView> owners_;  // a deque never moves its elements
  std::vector<slipway_role> roles_;
  std::vector<slipway_kv> metadata_;
  slipway_app_def view_;
};

inline Resource read(const slipway_resource& from) {
  const slipway_resource r = widen(&from);
  Resource out;
  out.cpu = r.cpu;
  out.gpu = r.gpu;
  out.mem_mb = r.mem_mb;
  out.capabilities_json = str(r.capabilities_json);
  out.devices = read(r.devices);
  out.tags_json = str(r.tags_json);
  return out;
}

inline Mount read(const slipway_mount& m) {
  Mount out;
  out.kind = static_cast<MountKind>(m.kind);
  out.src = str(m.src);
  out.dst = str(m.dst);
  out.permissions = str(m.permissions);
  out.read_only = m.read_only != 0;
  return out;
}

inline Role read(const slipway_role& from) {
  const slipway_role r = widen(&from);
  Role out;
  out.name = str(r.name);
  out.image = str(r.image);
  out.base_image = str(r.base_image);
  out.entrypoint = str(r.entrypoint);
  out.args = read(r.args);
  out.env = read(r.env);
  out.num_replicas = r.num_replicas;
  if (r.min_replicas >= 0) out.min_replicas = r.min_replicas;
  out.max_retries = r.max_retries;
  out.retry_policy = static_cast<RetryPolicy>(r.retry_policy);
  if (r.resource != nullptr) out.resource = read(*r.resource);
  out.port_map = read(r.port_map);
  each_widened<slipway_mount>(r.mounts,
                              [&](const slipway_mount& m) { out.mounts.push_back(read(m)); });
  out.metadata_json = str(r.metadata_json);
  each_widened<slipway_scheduler_resource>(
      r.scheduler_resources, [&](const slipway_scheduler_resource& special) {
        if (special.resource != nullptr)
          set(out.scheduler_resources, text(special.scheduler), read(*special.resource));
      });
  return out;
}

inline AppDef read(const slipway_app_def& from) {
  const slipway_app_def a = widen(&from);
  AppDef out(str(a.name));
  out.roles.reserve(a.roles.count);
  for (std::size_t i = 0; i < a.roles.count; ++i)
    out.roles.push_back(read(*SLIPWAY_AT(a.roles, slipway_role, i)));
  out.metadata = read(a.metadata);
  return out;
}

}  // namespace slipway::abi
