#include "plugins/local/scheduler/gpus.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "plugins/local/engine/plan.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/program.hpp"

namespace slipway::local {

namespace {

constexpr const char* kDriverList = "/proc/driver/nvidia/gpus";
constexpr ProgramLimits kLimits{.time = std::chrono::seconds(10), .output = std::size_t{1} << 20};
constexpr const char* kCuda = "CUDA_VISIBLE_DEVICES";
constexpr const char* kHip = "HIP_VISIBLE_DEVICES";

/// Returns SLIPWAY_LOCAL_GPUS if it is a number of GPUs.
std::optional<std::int32_t> gpus_by_environment() {
  const char* text = std::getenv("SLIPWAY_LOCAL_GPUS");
  if (text == nullptr) return std::nullopt;
  const auto count = plain_number<std::int32_t>(text);
  return count && *count >= 0 && *count <= kMostGpus ? count : std::nullopt;
}

/// Returns the number of GPUs that the NVIDIA driver lists; 0 without the driver.
std::int64_t count_driver_gpus() {
  std::error_code error;
  std::int64_t count = 0;
  for (std::filesystem::directory_iterator entry(kDriverList, error), last; !error && entry != last;
       entry.increment(error)) {
    ++count;
  }
  return count;
}

/// Returns the number of GPUs that all replicas ask for. A role may say nothing about GPUs (-1).
std::int64_t asked_gpus(const AppDef& app) {
  std::int64_t asked = 0;
  for (const Role& role : app.roles)
    asked += std::int64_t{std::max(role.resource.gpu, 0)} * role.num_replicas;
  return asked;
}

/// Returns `4,5` for two devices from number 4 on.
std::string device_list(std::int64_t first, std::int64_t count) {
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + std::to_string(first + i);
  return out;
}

std::int32_t lines_that_start_with(std::string_view text, std::string_view start) {
  std::int32_t count = 0;
  while (!text.empty() && count < kMostGpus) {
    if (text.substr(0, start.size()) == start) ++count;
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return count;
}

/// Returns the GPUs of the machine. For each of them nvidia-smi prints a line such as `GPU 0: Tesla
/// T4 (…)`, and rocm-smi one such as `card0,0x…`.
LeasableGpus list_gpus() {
  // The number does not say whether the GPUs are NVIDIA's or AMD's.
  if (const auto count = gpus_by_environment()) return {*count, {kCuda, kHip}};
  if (const auto list = program_output({"nvidia-smi", "-L"}, kLimits)) {
    const std::int32_t count = lines_that_start_with(*list, "GPU ");
    if (count > 0) return {count, {kCuda}};
  }
  if (const auto list = program_output({"rocm-smi", "--showuniqueid", "--csv"}, kLimits)) {
    const std::int32_t count = lines_that_start_with(*list, "card");
    if (count > 0) return {count, {kHip}};
  }
  return {0, {kCuda, kHip}};
}

}  // namespace

GpuAssignment assign_gpus(const AppDef& app) {
  GpuAssignment out;
  const auto count = gpus_by_environment();
  const std::int64_t gpus = count ? *count : count_driver_gpus();
  const std::int64_t asked = asked_gpus(app);
  if (asked == 0) return out;
  if (asked > gpus) {
    out.refused = "the app asks for " + std::to_string(asked) + " GPUs and this machine has " +
                  std::to_string(gpus) + ", so CUDA_VISIBLE_DEVICES is not set";
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

LeasableGpus leasable_gpus(const AppDef& app) {
  const std::int64_t asked = asked_gpus(app);
  if (asked == 0) return {0, {kCuda, kHip}};
  LeasableGpus gpus = list_gpus();
  if (asked > gpus.count) {
    throw Error(Code::kPrecondition,
                "the app asks to lease " + std::to_string(asked) + " GPUs and this machine has " +
                    std::to_string(gpus.count),
                "ask for fewer, or leave gpus=lease out");
  }
  return gpus;
}

void add_gpu_variables(StrDict& env, const LeasableGpus& gpus, bool leased) {
  for (const std::string& name : gpus.variables) {
    // HIP takes an empty text for a missing variable, and ends its list at an invalid number.
    const char* const none = name == kHip ? "-1" : "";
    set(env, name, std::string(leased ? "(leased at launch)" : none));
  }
  // nvidia-smi counts GPUs by bus; by default CUDA counts them by speed.
  constexpr const char* kOrder = "CUDA_DEVICE_ORDER";
  if (leased && gpus.variables.front() == kCuda && find(env, kOrder) == nullptr)
    env.emplace_back(kOrder, "PCI_BUS_ID");
}

}  // namespace slipway::local
