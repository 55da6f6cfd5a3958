#include "plugins/local/scheduler/gpu_assignment.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include "plugins/local/scheduler/gpu_inventory.hpp"

namespace slipway::local {

namespace {

constexpr const char* kDriverList = "/proc/driver/nvidia/gpus";

std::string device_list(std::int64_t first, std::int64_t count) {
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + std::to_string(first + i);
  return out;
}

}  // namespace

std::int64_t count_gpus() {
  if (const auto told = gpus_by_environment()) return *told;
  std::error_code error;
  std::int64_t count = 0;
  for (std::filesystem::directory_iterator entry(kDriverList, error), last; !error && entry != last;
       entry.increment(error)) {
    ++count;
  }
  return count;
}

GpuAssignment assign_gpus(const AppDef& app, std::int64_t gpus) {
  GpuAssignment out;
  std::int64_t asked = 0;
  // a role that says nothing (-1) counts as TorchX counts it, so that an app gets the same GPUs on
  // both
  for (const Role& role : app.roles) asked += std::int64_t{role.resource.gpu} * role.num_replicas;
  if (asked <= 0) return out;
  if (asked > gpus) {
    out.refused = "the app asks for " + std::to_string(asked) + " GPUs and this machine has " +
                  std::to_string(gpus) + ": CUDA_VISIBLE_DEVICES is left alone";
    return out;
  }
  std::int64_t next = 0;
  for (const Role& role : app.roles) {
    auto& replicas = out.visible.emplace_back();
    if (role.resource.gpu <= 0) continue;
    for (std::int32_t k = 0; k < role.num_replicas; ++k) {
      replicas.push_back(device_list(next, role.resource.gpu));
      next += role.resource.gpu;
    }
  }
  return out;
}

}  // namespace slipway::local
