#include "core/spec/mounts.hpp"

#include <algorithm>
#include <string>

namespace slipway::spec {

std::vector<Mount> parse_mount_string(std::string_view text) {
  std::vector<std::string> options;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    options.emplace_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return parse_mounts(options);
}

}  // namespace slipway::spec
