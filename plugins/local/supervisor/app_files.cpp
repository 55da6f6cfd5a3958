#include "plugins/local/supervisor/app_files.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/supervisor/held_files.hpp"

namespace slipway::local {
namespace {

LaunchPlan load_plan(int dir_fd) {
  constexpr std::size_t kMaxPlan = 1U << 30U;
  std::string bytes;
  if (!read_file(dir_fd, "plan.bin", kMaxPlan, bytes)) {
    throw system_error(Code::kUnavailable, "cannot read", "plan.bin", errno);
  }
  return decode_plan(bytes);
}

}  // namespace

AppFiles::AppFiles(int dir_fd)
    : dir_fd_(dir_fd), plan_(load_plan(dir_fd)), state_(dir_fd), events_(dir_fd) {
  if (replica_count(plan_) != state_.count()) {
    throw Error(Code::kUnavailable, "plan.bin and state.bin do not belong together");
  }
  log_dir_.reset(::open(plan_.log_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  held_files_ = hold_files(plan_.held_files);
  std::uint32_t next = 0;
  for (const LaunchGroup& group : plan_.groups) {
    group_starts_.push_back(next);
    next += static_cast<std::uint32_t>(group.count);
  }
}

std::pair<const LaunchGroup*, std::int32_t> AppFiles::locate(std::uint32_t index) const {
  const auto after = std::upper_bound(group_starts_.begin(), group_starts_.end(), index);
  const auto at = static_cast<std::size_t>(after - group_starts_.begin()) - 1;
  const LaunchGroup& group = plan_.groups[at];
  return {&group, group.first_replica + static_cast<std::int32_t>(index - group_starts_[at])};
}

}  // namespace slipway::local
