#include "core/registry/calls/host_table.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/calls/call_error.hpp"
#include "core/registry/calls/text_services.hpp"
#include "slipway/abi/device_paths.h"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

namespace {

constexpr std::string_view kHostName = "slipway";
constexpr std::string_view kHostVersion = SLIPWAY_VERSION;

struct HostContext {
  slipway_host table;
  std::string plugin_id;
  std::weak_ptr<const HostServices> services;
  std::string state_dir;  // if not empty, replaces the directory of `services`
};

HostContext& context(const slipway_host* host) { return *static_cast<HostContext*>(host->ctx); }

std::shared_ptr<const HostServices> services_of(const slipway_host* host) {
  auto services = context(host).services.lock();
  if (!services) throw Error(Code::kUnavailable, "the host has shut down its services");
  return services;
}

void log(const slipway_host* self, int32_t level, slipway_str message) {
  abi::guard(nullptr, nullptr, [&] {  // a message that cannot be logged is dropped
    const auto services = context(self).services.lock();
    if (services && services->log) {
      services->log(static_cast<LogLevel>(level), context(self).plugin_id, abi::text(message));
    }
  });
}

void error_set(slipway_error* err, slipway_status code, slipway_str message, slipway_str hint,
               slipway_str detail_json) {
  if (err == nullptr) return;
  abi::guard(nullptr, nullptr, [&] {
    err->code = code;
    err->message = abi::str(message);
    err->hint = abi::str(hint);
    err->detail_json = abi::str(detail_json);
  });
}

int32_t cancel_requested(const slipway_cancel* cancel) {
  return cancel != nullptr && cancel->is_requested() ? 1 : 0;
}

int32_t cancel_fd(const slipway_cancel* cancel) { return cancel != nullptr ? cancel->fd() : -1; }

// ---- services

slipway_status state_dir_path(const slipway_host* host, slipway_on_str on_path, void* ctx,
                              slipway_error* err) {
  return abi::guard(host, err, [&] {
    const std::string& own = context(host).state_dir;
    const std::string path = own.empty() ? services_of(host)->state_dir() : own;
    abi::ok(on_path(ctx, abi::view(path)));
  });
}

slipway_status image_provider_open(const slipway_host* host, const slipway_call* call,
                                   slipway_str name, slipway_image_provider** out,
                                   slipway_error* err) {
  return abi::guard(host, err, [&] {
    const slipway_cancel* cancel = call != nullptr ? abi::widen(call).cancel : nullptr;
    *out = services_of(host)->open_image_provider(abi::text(name), cancel);
  });
}

void image_provider_close(const slipway_host* host, slipway_image_provider* provider) {
  abi::guard(nullptr, nullptr, [&] { services_of(host)->close_image_provider(provider); });
}

slipway_status named_resource_find(const slipway_host* host, const slipway_call*, slipway_str name,
                                   slipway_on_resource on_resource, void* ctx, slipway_error* err) {
  return abi::guard(host, err, [&] {
    const auto services = services_of(host);
    if (!services->named_resource)
      throw Error(Code::kUnimplemented, "this host has no named resources");
    const Resource resource = services->named_resource(abi::text(name));
    abi::ok(on_resource(ctx, abi::ResourceView(resource).get()));
  });
}

slipway_status device_path_find(const slipway_host* host, slipway_str name,
                                slipway_on_device_path on_path, void* ctx, slipway_error* err) {
  return abi::guard(host, err, [&] {
    const auto services = services_of(host);
    const DeviceTable* device = services->device ? services->device(abi::text(name)) : nullptr;
    if (device == nullptr) return;
    auto path = abi::sized<slipway_device_path>();
    path.path = abi::view(device->path);
    path.permissions = abi::view(device->permissions);
    abi::ok(on_path(ctx, &path));
  });
}

constexpr slipway_host_state_dir kStateDir = {sizeof(slipway_host_state_dir), 0, &state_dir_path};
constexpr slipway_host_image_providers kImageProviders = {
    sizeof(slipway_host_image_providers), 0, &image_provider_open, &image_provider_close};
constexpr slipway_host_named_resources kNamedResources = {sizeof(slipway_host_named_resources), 0,
                                                          &named_resource_find};
constexpr slipway_host_device_paths kDevicePaths = {sizeof(slipway_host_device_paths), 0,
                                                    &device_path_find};

const void* get_extension(const slipway_host*, slipway_str id) {
  const std::string_view name = abi::text(id);
  if (name == SLIPWAY_HOST_STATE_DIR) return &kStateDir;
  if (name == SLIPWAY_HOST_IMAGE_PROVIDERS) return &kImageProviders;
  if (name == SLIPWAY_HOST_NAMED_RESOURCES) return &kNamedResources;
  if (name == SLIPWAY_HOST_DEVICE_PATHS) return &kDevicePaths;
  return text_service(name);
}

std::string home_dir() {
  if (const char* home = ::secure_getenv("HOME"); home != nullptr && *home == '/') return home;
  // Daemons often have no HOME.
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  if (::getpwuid_r(::geteuid(), &entry, buffer, sizeof buffer, &found) == 0 && found != nullptr &&
      found->pw_dir != nullptr && *found->pw_dir == '/') {
    return found->pw_dir;
  }
  throw Error(Code::kPrecondition, "the user has no home directory to keep state in",
              "set HOME or XDG_STATE_HOME");
}

}  // namespace

std::string default_state_dir() {
  const char* xdg = ::secure_getenv("XDG_STATE_HOME");
  if (xdg != nullptr && *xdg == '/') return std::string(xdg) + "/slipway";
  const std::string home = home_dir();
  return (home == "/" ? std::string() : home) + "/.local/state/slipway";
}

const slipway_host* make_host_table(std::string plugin_id,
                                    std::weak_ptr<const HostServices> services,
                                    std::string state_dir) {
  auto owner = std::make_unique<HostContext>();
  owner->plugin_id = std::move(plugin_id);
  owner->services = std::move(services);
  owner->state_dir = std::move(state_dir);
  owner->table = slipway_host{sizeof(slipway_host), SLIPWAY_ABI_MINOR,
                              abi::view(kHostName), abi::view(kHostVersion),
                              owner.get(),          &log,
                              &error_set,           &cancel_requested,
                              &cancel_fd,           &get_extension};
  // The table is never freed (see the header). Leak checkers accept memory that a static reference
  // names.
  static auto& immortal = *std::make_unique<std::vector<std::unique_ptr<HostContext>>>().release();
  static std::mutex mutex;
  const std::lock_guard locked(mutex);
  immortal.push_back(std::move(owner));
  return &immortal.back()->table;
}

}  // namespace slipway::registry
