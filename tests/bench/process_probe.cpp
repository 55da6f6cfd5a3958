#include "tests/bench/process_probe.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace slipway::bench {
namespace {

namespace fs = std::filesystem;

/// The sum of the numbers behind all lines of `path` that start with `key`.
std::int64_t number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::int64_t sum = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::istringstream rest(line.substr(line.find(':') + 1));
    std::int64_t value = 0;
    rest >> value;
    sum += value;
  }
  return sum;
}

bool uses(const fs::path& process, const std::string& directory, const std::string& program) {
  std::error_code error;
  if (fs::read_symlink(process / "exe", error).filename() != program) return false;
  for (const auto& entry : fs::directory_iterator(process / "fd", error)) {
    const std::string target = fs::read_symlink(entry.path(), error).string();
    if (target.rfind(directory, 0) == 0) return true;
  }
  return false;
}

}  // namespace

ProcessFacts facts_of(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  ProcessFacts facts;
  facts.private_kb = static_cast<long>(number_in(process + "/smaps_rollup", "Private_"));
  facts.wake_ups = number_in(process + "/status", "voluntary_ctxt_switches");
  std::error_code error;
  for (fs::directory_iterator entry(process + "/fd", error), end; entry != end; ++entry)
    ++facts.descriptors;
  return facts;
}

std::vector<pid_t> users_of(const std::string& directory, const std::string& program) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    if (std::all_of(name.begin(), name.end(),
                    [](unsigned char c) { return std::isdigit(c) != 0; }) &&
        uses(entry.path(), directory, program))
      found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace slipway::bench
