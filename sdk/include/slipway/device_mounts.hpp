// The device files behind a resource's named devices: TorchX's `get_device_mounts`. For schedulers
// that run containers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/app.hpp"

namespace slipway {

/// One kind of device as engines name it, and its files: `path` and a number counted from 0.
struct DeviceFiles {
  std::string_view device;
  std::string_view path;
};

/// Elastic Fabric Adapters and Neuron accelerators.
inline constexpr std::array<DeviceFiles, 2> kDeviceFiles = {{
    {"vpc.amazonaws.com/efa", "/dev/infiniband/uverbs"},
    {"aws.amazon.com/neurondevice", "/dev/neuron"},
}};

/// A device mount, to the same place and with all permissions ("rwm"), for each file of each device
/// in `devices` (device name -> count), in their order. Devices that `table` does not have are
/// passed over and named in `unknown`. `table` is any range of DeviceFiles: a site with other
/// devices hands in its own.
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

inline std::vector<Mount> device_mounts(const IntDict& devices, StrList& unknown) {
  return device_mounts(devices, kDeviceFiles, unknown);
}

}  // namespace slipway
