// The device files of a resource's devices, as the site has configured them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/abi/device_paths.h"
#include "slipway/app.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/device_mounts.hpp"
#include "slipway/host.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The files of one kind of devices at a site; see slipway_device_path.
struct DevicePath {
  std::string path;                 ///< "{i}" in it stands for the number of the device
  std::string permissions = "rwm";  ///< a subset of "rwm" (read, write, mknod)
};

/// Returns the site's files of the device `device`, or nullopt if the site has not configured it or
/// the host does not have the service. If the site's configuration of the device is invalid, ends
/// the call with the host's error.
inline std::optional<DevicePath> device_path(const Host& host, std::string_view device,
                                             const Call& call) {
  const auto* service = host.extension<slipway_host_device_paths>(SLIPWAY_HOST_DEVICE_PATHS);
  if (service == nullptr) return std::nullopt;
  std::optional<DevicePath> found;
  const auto on_path = [](void* ctx, const slipway_device_path* path) noexcept {
    return abi::guard(nullptr, nullptr, [&] {
      const slipway_device_path p = abi::widen(path);
      static_cast<std::optional<DevicePath>*>(ctx)->emplace(
          DevicePath{abi::str(p.path), abi::str(p.permissions)});
    });
  };
  abi::ok(service->find(host.table(), abi::view(device), on_path, &found, call.error()));
  return found;
}

/// Does the same as device_mounts() in device_mounts.hpp, but prefers the site's device files. A
/// path without "{i}" becomes one mount for all devices. Ends the call as device_path() does.
inline std::vector<Mount> device_mounts(const Host& host, const IntDict& devices, const Call& call,
                                        StrList& unknown) {
  constexpr std::string_view kNumber = "{i}";
  std::vector<Mount> out;
  for (const auto& [name, count] : devices) {
    const auto site = device_path(host, name, call);
    if (!site) {
      for (Mount& mount : device_mounts({{name, count}}, unknown)) out.push_back(std::move(mount));
      continue;
    }
    const std::size_t number_at = site->path.find(kNumber);
    const bool one_for_all = number_at == std::string::npos;
    for (std::int64_t i = 0; i < count && !(one_for_all && i > 0); ++i) {
      Mount mount;
      mount.kind = MountKind::kDevice;
      mount.src = site->path;
      if (!one_for_all) mount.src.replace(number_at, kNumber.size(), std::to_string(i));
      mount.dst = mount.src;
      mount.permissions = site->permissions;
      out.push_back(std::move(mount));
    }
  }
  return out;
}

}  // namespace sdk_1_0
}  // namespace slipway
