#include "core/spec/mounts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"

namespace slipway::spec {

std::vector<Mount> parse_mounts(const std::vector<std::string>& options) {
  const std::vector<std::string_view> known(kMountOptions.begin(), kMountOptions.end());
  for (const std::string& option : options) {
    const std::string name = option.substr(0, option.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string hint = did_you_mean(name, known);
    if (hint.empty()) break;  // the SDK's own error lists the options
    throw Error(Code::kInvalid, "unknown mount option " + quoted(name), std::move(hint));
  }
  return slipway::parse_mounts(options);
}

std::vector<std::string> mount_options(std::string_view text) {
  std::vector<std::string> options;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    options.emplace_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return options;
}

std::vector<Mount> parse_mount_string(std::string_view text) {
  return parse_mounts(mount_options(text));
}

}  // namespace slipway::spec
