#include "sdk/check/host/kit_host.hpp"

#include <memory>
#include <string_view>

#include "core/registry/calls/text_services.hpp"
#include "core/spec/document.hpp"
#include "sdk/check/host/guarded_memory.hpp"
#include "slipway/abi/device_paths.h"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

struct HostState {
  std::string state_dir;
  bool poor = false;  // without services
};

const HostState& state_of(const slipway_host* host) {
  return *static_cast<const HostState*>(host->ctx);
}

// Reads the whole text, so that an invalid pointer or length crashes here.
void read_text(slipway_str text) {
  volatile unsigned sum = 0;
  for (std::size_t i = 0; i < text.len; ++i) sum = sum + static_cast<unsigned char>(text.ptr[i]);
}

void log(const slipway_host*, int32_t, slipway_str message) { read_text(message); }

void error_set(slipway_error* err, slipway_status code, slipway_str message, slipway_str hint,
               slipway_str detail_json) {
  for (const slipway_str text : {message, hint, detail_json}) read_text(text);
  if (err == nullptr) return;
  err->code = code;
  err->message = abi::str(message);
  err->hint = abi::str(hint);
  err->detail_json = abi::str(detail_json);
}

slipway_status not_here(slipway_error* err, slipway_str name) {
  const std::string message = "the conformance kit has no " + abi::str(name);
  error_set(err, SLIPWAY_E_NOT_FOUND, abi::view(message), {nullptr, 0}, {nullptr, 0});
  return SLIPWAY_E_NOT_FOUND;
}

int32_t cancel_requested(const slipway_cancel* cancel) {
  return cancel != nullptr && cancel->is_requested() ? 1 : 0;
}

int32_t cancel_fd(const slipway_cancel* cancel) { return cancel != nullptr ? cancel->fd() : -1; }

slipway_status state_dir(const slipway_host* host, slipway_on_str on_path, void* ctx,
                         slipway_error*) {
  return on_path(ctx, abi::view(state_of(host).state_dir));
}

slipway_status open_images(const slipway_host*, const slipway_call*, slipway_str name,
                           slipway_image_provider**, slipway_error* err) {
  return not_here(err, name);
}
void close_images(const slipway_host*, slipway_image_provider*) {}

slipway_status find_resource(const slipway_host*, const slipway_call*, slipway_str name,
                             slipway_on_resource, void*, slipway_error* err) {
  return not_here(err, name);
}

slipway_status find_device(const slipway_host*, slipway_str name, slipway_on_device_path, void*,
                           slipway_error*) {
  read_text(name);
  return SLIPWAY_OK;
}

const void* get_extension(const slipway_host* self, slipway_str id) {
  static constexpr slipway_host_state_dir kStateDir = {sizeof(slipway_host_state_dir), 0,
                                                       &state_dir};
  static constexpr slipway_host_image_providers kImages = {sizeof(slipway_host_image_providers), 0,
                                                           &open_images, &close_images};
  static constexpr slipway_host_named_resources kResources = {sizeof(slipway_host_named_resources),
                                                              0, &find_resource};
  static constexpr slipway_host_device_paths kDevices = {sizeof(slipway_host_device_paths), 0,
                                                         &find_device};
  read_text(id);
  if (state_of(self).poor) return nullptr;
  const std::string_view name = abi::text(id);
  if (name == SLIPWAY_HOST_STATE_DIR) return &kStateDir;
  if (name == SLIPWAY_HOST_IMAGE_PROVIDERS) return &kImages;
  if (name == SLIPWAY_HOST_NAMED_RESOURCES) return &kResources;
  if (name == SLIPWAY_HOST_DEVICE_PATHS) return &kDevices;
  return registry::text_service(name);
}

}  // namespace

const slipway_host* kit_host(const std::string& state_dir_path, bool poor) {
  // Never freed: a loaded library may use it until the process ends.
  static auto& memory = *std::make_unique<GuardedMemory>().release();
  auto* state = std::make_unique<HostState>(HostState{state_dir_path, poor}).release();
  auto table = abi::sized<slipway_host>();
  table.abi_minor = SLIPWAY_ABI_MINOR + (plays_newer_host() ? 1 : 0);
  table.name = memory.text("slipway-plugin-check");
  table.version = memory.text(SLIPWAY_VERSION);
  table.ctx = state;
  table.log = &log;
  table.error_set = &error_set;
  table.cancel_requested = &cancel_requested;
  table.cancel_fd = &cancel_fd;
  table.get_extension = &get_extension;
  const slipway_host* placed = memory.object(table);
  memory.seal();
  return placed;
}

bool is_json_object(std::string_view text) {
  try {
    return spec::parse_json(text, "text").type == spec::NodeType::kTable;
  } catch (const Error&) {
    return false;
  }
}

slipway_status TextSink::take(void* self, slipway_str value) {
  auto& sink = *static_cast<TextSink*>(self);
  ++sink.calls;
  sink.text += abi::text(value);
  return sink.stop;
}

}  // namespace slipway::check
