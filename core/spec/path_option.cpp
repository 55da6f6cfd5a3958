#include "core/spec/path_option.hpp"

#include <algorithm>
#include <array>

namespace slipway::spec {

bool is_path_option(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kNames = {"extra_paths", "job_dir", "log_dir",
                                                             "state_dir"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace slipway::spec
