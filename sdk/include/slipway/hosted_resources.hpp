// Named resources of any plug-in or manifest, for a plug-in that needs their numbers: asked of the
// host by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/abi/host.h"
#include "slipway/app.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway {

/// What the name stands for, as in `resource = "gpu.small"`. A name that nobody defines ends the
/// call of the host during which it is asked for, with the host's own message; kUnimplemented is
/// thrown where the host offers no resources.
inline Resource named_resource(const Host& host, std::string_view name, const Call& call) {
  const auto* service = host.extension<slipway_host_named_resources>(SLIPWAY_HOST_NAMED_RESOURCES);
  if (service == nullptr) throw Error(Code::kUnimplemented, "the host offers no named resources");
  std::optional<Resource> found;
  const auto on_resource = [](void* ctx, const slipway_resource* resource) noexcept {
    return abi::guard(nullptr, nullptr,
                      [&] { *static_cast<std::optional<Resource>*>(ctx) = abi::read(*resource); });
  };
  abi::ok(service->find(host.table(), abi::view(name), on_resource, &found, call.error()));
  if (!found)
    throw Error(Code::kAbi, "the host found " + std::string(name) + " and did not say what it is");
  return *std::move(found);
}

}  // namespace slipway
