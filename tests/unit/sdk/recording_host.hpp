// A host for tests of the SDK. It stores the errors and log messages of plug-ins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/abi/device_paths.h"
#include "slipway/abi/host.h"
#include "slipway/detail/views.hpp"

/// The object behind the ABI's opaque error. Every host defines its own.
struct slipway_error {
  slipway_status code = SLIPWAY_OK;
  std::string message;
  std::string hint;
};

/// The object behind the ABI's opaque cancellation.
struct slipway_cancel {
  bool requested = false;
};

namespace slipway::sdk_test {

class RecordingHost {
 public:
  RecordingHost() {
    table_.struct_size = sizeof table_;
    table_.ctx = this;
    table_.log = [](const slipway_host* self, std::int32_t, slipway_str message) {
      static_cast<RecordingHost*>(self->ctx)->messages.push_back(abi::str(message));
    };
    table_.error_set = [](slipway_error* error, slipway_status code, slipway_str message,
                          slipway_str hint, slipway_str) {
      *error = {code, abi::str(message), abi::str(hint)};
    };
    table_.cancel_requested = [](const slipway_cancel* cancel) {
      return cancel->requested ? 1 : 0;
    };
    table_.cancel_fd = [](const slipway_cancel*) { return -1; };
    table_.get_extension = [](const slipway_host* self, slipway_str id) -> const void* {
      const auto& host = *static_cast<const RecordingHost*>(self->ctx);
      if (abi::text(id) == SLIPWAY_HOST_STATE_DIR) return host.state_dir;
      if (abi::text(id) == SLIPWAY_HOST_NAMED_RESOURCES) return host.named_resources;
      if (abi::text(id) == SLIPWAY_HOST_DEVICE_PATHS) return host.device_paths;
      if (abi::text(id) == SLIPWAY_HOST_IMAGE_PROVIDERS) return host.image_providers;
      return nullptr;
    };
  }
  RecordingHost(const RecordingHost&) = delete;
  RecordingHost& operator=(const RecordingHost&) = delete;

  slipway_host* table() { return &table_; }

  std::vector<std::string> messages;
  const slipway_host_state_dir* state_dir = nullptr;
  const slipway_host_named_resources* named_resources = nullptr;
  const slipway_host_device_paths* device_paths = nullptr;
  const slipway_host_image_providers* image_providers = nullptr;

 private:
  slipway_host table_{};
};

}  // namespace slipway::sdk_test
