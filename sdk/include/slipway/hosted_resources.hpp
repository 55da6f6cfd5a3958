// The named resources that the host knows from manifests and from all plug-ins.
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
inline namespace sdk_1_0 {

/// Returns the named resource `name`, such as "gpu.small": during `run` and `dryrun` as the app's
/// scheduler has it, otherwise without the differences on single schedulers. If the host fails, for
/// example because the name is unknown, ends the call with the host's error. Throws Error
/// kUnimplemented if the host does not have the service, and kAbi if it returns no resource.
inline Resource named_resource(const Host& host, std::string_view name, const Call& call) {
  const auto* service = host.extension<slipway_host_named_resources>(SLIPWAY_HOST_NAMED_RESOURCES);
  if (service == nullptr) throw Error(Code::kUnimplemented, "the host has no named resources");
  std::optional<Resource> found;
  const auto on_resource = [](void* ctx, const slipway_resource* resource) noexcept {
    return abi::guard(nullptr, nullptr,
                      [&] { *static_cast<std::optional<Resource>*>(ctx) = abi::read(*resource); });
  };
  abi::ok(service->find(host.table(), call.context(), abi::view(name), on_resource, &found,
                        call.error()));
  if (!found)
    throw Error(Code::kAbi, "the host found " + std::string(name) + " but did not return it");
  return *std::move(found);
}

}  // namespace sdk_1_0
}  // namespace slipway
