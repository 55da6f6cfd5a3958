#include "tests/bench/library_trace.hpp"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace slipway::bench {
namespace {

bool expected_everywhere(std::string_view name) {
  for (const char* prefix : {"libc.so", "ld-linux", "linux-vdso"}) {
    if (name.substr(0, std::string_view(prefix).size()) == prefix) return true;
  }
  return false;
}

std::vector<std::string> read_trace(const std::string& path) {
  constexpr std::string_view kInit = "calling init: ";
  std::vector<std::string> names;
  std::ifstream file(path);
  bool started = false;
  for (std::string line; std::getline(file, line);) {
    if (line.find("transferring control:") != std::string::npos) started = true;
    const std::size_t at = line.find(kInit);
    if (at == std::string::npos) continue;
    std::string name = line.substr(at + kInit.size());
    name.erase(0, name.rfind('/') + 1);
    if (expected_everywhere(name)) continue;
    if (started) name += " (dlopen)";
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> traced_libraries(const Argv& argv, const std::string& scratch_dir) {
  const std::string prefix = scratch_dir + "/libraries";
  ::setenv("LD_DEBUG", "files", 1);
  ::setenv("LD_DEBUG_OUTPUT", prefix.c_str(), 1);
  ChildProcess child(argv);
  ::unsetenv("LD_DEBUG");
  ::unsetenv("LD_DEBUG_OUTPUT");
  const std::string path = prefix + '.' + std::to_string(child.pid());
  child.wait();
  return read_trace(path);
}

}  // namespace slipway::bench
