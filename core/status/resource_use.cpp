#include "core/status/resource_use.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace slipway {
namespace {

void add(const ResourceUse& use, ResourceUse& to) {
  to.cpu_time_ns += use.cpu_time_ns;
  to.max_rss_bytes = std::max(to.max_rss_bytes, use.max_rss_bytes);
}

}  // namespace

ResourceUse resource_use(const Description& app) {
  ResourceUse out;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      if (replica.count > 1) return {};
      add(replica.use, out);
      for (const AttemptStatus& earlier : replica.earlier_attempts) add(earlier.use, out);
    }
  }
  return out;
}

std::string seconds_text(std::int64_t ns) {
  // fmt formats a double with snprintf(), whose first call takes 0.08 ms.
  constexpr std::int64_t kTenth = 100'000'000;
  const std::int64_t tenths = (std::max<std::int64_t>(ns, 0) + kTenth / 2) / kTenth;
  return fmt::format("{}.{} s", tenths / 10, tenths % 10);
}

std::string size_text(std::int64_t bytes) {
  constexpr double kMebibyte = 1024.0 * 1024.0;
  const double mebibytes = static_cast<double>(bytes) / kMebibyte;
  return mebibytes < 1024 ? fmt::format("{:.0f} MiB", std::max(mebibytes, 1.0))
                          : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

std::string use_text(const ResourceUse& use) {
  if (use.max_rss_bytes <= 0 && use.cpu_time_ns <= 0) return {};
  const std::string cpu = seconds_text(use.cpu_time_ns) + " CPU";
  return use.max_rss_bytes <= 0 ? cpu : cpu + ", " + size_text(use.max_rss_bytes);
}

}  // namespace slipway
