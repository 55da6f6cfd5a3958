#include "plugins/local/scheduler/gpu_inventory.hpp"

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sdk/support/plain_number.hpp"
#include "slipway/program.hpp"

namespace slipway::local {

namespace {

constexpr ProgramLimits kLimits{std::chrono::seconds(10), std::size_t{1} << 20, -1};
constexpr std::int32_t kMost = 4096;
constexpr const char* kCuda = "CUDA_VISIBLE_DEVICES";
constexpr const char* kHip = "HIP_VISIBLE_DEVICES";

std::int32_t lines_that_start_with(std::string_view text, std::string_view start) {
  std::int32_t count = 0;
  while (!text.empty() && count < kMost) {
    if (text.substr(0, start.size()) == start) ++count;
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return count;
}

}  // namespace

std::optional<std::int32_t> gpus_by_environment() {
  const char* text = std::getenv("SLIPWAY_LOCAL_GPUS");
  if (text == nullptr) return std::nullopt;
  const auto count = plain_number<std::int32_t>(text);
  return count && *count >= 0 && *count <= kMost ? count : std::nullopt;
}

GpuInventory find_gpus() {
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

void add_gpu_variables(StrDict& env, const GpuInventory& gpus, bool leased) {
  for (const std::string& name : gpus.variables)
    set(env, name, std::string(leased ? "(leased at launch)" : ""));
  // nvidia-smi counts by bus, CUDA by speed unless it is told.
  constexpr const char* kOrder = "CUDA_DEVICE_ORDER";
  if (leased && gpus.variables.front() == kCuda && find(env, kOrder) == nullptr)
    env.emplace_back(kOrder, "PCI_BUS_ID");
}

}  // namespace slipway::local
