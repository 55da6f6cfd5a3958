#include "plugins/python_components/file_states.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace slipway::python {

namespace {

namespace json = boost::json;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

json::value state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return nullptr;
  return json::array{nanoseconds(found.st_mtim), nanoseconds(found.st_ctim), found.st_size,
                     found.st_ino};
}

}  // namespace

bool are_unchanged(const json::object& states) {
  for (const auto& [path, state] : states) {
    if (state != state_of(path)) return false;
  }
  return true;
}

}  // namespace slipway::python
