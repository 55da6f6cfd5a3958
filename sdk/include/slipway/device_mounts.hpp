// The device files of a resource's devices, like TorchX's `get_device_mounts`. For schedulers that
// run containers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/app.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// A device by its name in resources, and its files: `path` followed by a number, from 0.
struct DeviceFiles {
  std::string_view device;
  std::string_view path;
};

/// Elastic Fabric Adapters and Neuron accelerators.
inline constexpr std::array<DeviceFiles, 2> kDeviceFiles = {{
    {"vpc.amazonaws.com/efa", "/dev/infiniband/uverbs"},
    {"aws.amazon.com/neurondevice", "/dev/neuron"},
}};

/// Returns a device mount for each file of each device in `devices` (device name -> count), in the
/// order of `devices`. A file has the same path in the replica, with all permissions ("rwm").
/// Appends devices that are not in `table` to `unknown`. `table` is a range of DeviceFiles.
template <class Table>
std::vector<Mount> device_mounts(const IntDict& devices, const Table& table, StrList& unknown) {
  std::vector<Mount> out;
  for (const auto& [name, count] : devices) {
    const DeviceFiles* files = nullptr;
    for (const DeviceFiles& known : table) {
      if (known.device == name) files = &known;
    }
    if (files == nullptr) {
      unknown.push_back(name);
      continue;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      Mount mount;
      mount.kind = MountKind::kDevice;
      mount.src = mount.dst = std::string(files->path) + std::to_string(i);
      out.push_back(std::move(mount));
    }
  }
  return out;
}

/// Does the same with kDeviceFiles as the table.
inline std::vector<Mount> device_mounts(const IntDict& devices, StrList& unknown) {
  return device_mounts(devices, kDeviceFiles, unknown);
}

}  // namespace sdk_1_0
}  // namespace slipway
