#include "named_resources/host/gpu_count.hpp"

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "sdk/support/file_text.hpp"
#include "slipway/dict.hpp"
#include "slipway/program.hpp"

namespace slipway::host_resources {
namespace {

namespace fs = std::filesystem;

// Returns the path of the program, or an empty text if PATH has none. Skips relative directories,
// which depend on where the command was called.
std::string find_program(const std::string& path, const char* name) {
  std::istringstream directories(path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (directory.empty() || directory.front() != '/') continue;
    std::string program = directory + "/" + name;
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

// Returns the output of the tool, or nullopt if it is missing, fails or is too slow.
std::optional<std::string> tool_output(const MachinePlaces& places, const char* tool,
                                       const StrList& arguments) {
  StrList argv = {find_program(places.path, tool)};
  if (argv.front().empty()) return std::nullopt;
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  // At most 1 MiB of output; nothing cancels the tool.
  return program_output(
      argv, {std::chrono::milliseconds(places.tool_timeout_ms), std::size_t{1} << 20, -1});
}

std::int32_t lines_that_start(const std::string& text, std::string_view start) {
  std::int32_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) count += line.rfind(start, 0) == 0 ? 1 : 0;
  return count;
}

template <class Counts>
std::int32_t count_entries(const std::string& directory, Counts counts) {
  std::int32_t count = 0;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), last; !error && entry != last;
       entry.increment(error)) {
    count += counts(entry->path()) ? 1 : 0;
  }
  return count;
}

std::int32_t nvidia_gpus(const MachinePlaces& places) {
  // One line per GPU: "GPU 0: NVIDIA A100 (UUID: ...)"; MIG slices below it are indented.
  if (const auto output = tool_output(places, "nvidia-smi", {"-L"}))
    return lines_that_start(*output, "GPU ");
  return count_entries(places.root + "/proc/driver/nvidia/gpus",
                       [](const fs::path&) { return true; });
}

std::int32_t amd_gpus(const MachinePlaces& places) {
  // A heading that starts with "device", then one line per GPU: "card0,...".
  if (const auto output = tool_output(places, "rocm-smi", {"--showid", "--csv"}))
    return lines_that_start(*output, "card");
  // The kernel's list also contains CPUs, whose id is 0. It hides the id of GPUs that the control
  // group may not use.
  return count_entries(places.root + "/sys/class/kfd/kfd/topology/nodes", [](const fs::path& node) {
    const std::string id = file_text((node / "gpu_id").string()).value_or("");
    return !id.empty() && id.front() >= '1' && id.front() <= '9';
  });
}

}  // namespace

std::int32_t count_gpus(const MachinePlaces& places) {
  return nvidia_gpus(places) + amd_gpus(places);
}

}  // namespace slipway::host_resources
