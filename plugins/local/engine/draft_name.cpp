#include "plugins/local/engine/draft_name.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>

#include "plugins/local/engine/machine_identity.hpp"

namespace slipway::local {

std::string draft_prefix() {
  std::array<char, 32> prefix{};
  std::snprintf(prefix.data(), prefix.size(), ".new-%016" PRIx64 "-", machine_tag(this_machine()));
  return prefix.data();
}

std::string draft_name(const std::string& app_id) {
  const std::string prefix = draft_prefix();
  const std::size_t room = 255 - prefix.size();
  return prefix + (app_id.size() > room ? app_id.substr(app_id.size() - room) : app_id);
}

}  // namespace slipway::local
