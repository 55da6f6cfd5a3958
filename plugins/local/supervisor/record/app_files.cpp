#include "plugins/local/supervisor/record/app_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/supervisor/processes/app_mark.hpp"
#include "sdk/support/ownership.hpp"

namespace slipway::local {
namespace {

/// An idle supervisor gives back the memory of a state file of at least this many bytes.
constexpr std::size_t kLargeState = std::size_t{128} * 1024;

/// Locks the file (flock, shared). Retries for a moment if another process has locked it
/// exclusively: a process that looks for unused images does so briefly, also for images that it
/// keeps. Does not wait longer, because the supervisor must manage the app.
bool lock_shared(const OwnedFd& fd) {
  constexpr int kTries = 20;
  constexpr std::chrono::milliseconds kPause{5};
  for (int i = 1; ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK || i == kTries) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

/// Opens and locks the files, which keeps the app's images in place while it is supervised. Leaves
/// out a file that cannot be locked: the app then runs all the same, but its images may be removed
/// when they have been unused for long.
std::vector<OwnedFd> lock_files(const std::vector<std::string>& paths) {
  std::vector<OwnedFd> out;
  for (const std::string& path : paths) {
    OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd && lock_shared(fd)) out.push_back(std::move(fd));
  }
  return out;
}

}  // namespace

OwnedFd open_log_dir(int dir_fd, const LaunchPlan& plan) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
  // Only an app without a log_dir has this directory in its record.
  OwnedFd dir(::openat(dir_fd, kOwnLogsName, kFlags));
  if (!dir) dir.reset(::open(plan.log_dir.c_str(), kFlags));
  struct stat info {};
  if (!dir || ::fstat(dir.get(), &info) != 0 || !distrust(info).empty()) return OwnedFd();
  return dir;
}

AppFiles::AppFiles(int dir_fd, int log_dir_fd, const LaunchPlan& plan)
    : dir_fd_(dir_fd),
      log_dir_fd_(log_dir_fd),
      plan_(plan),
      mark_(app_mark(dir_fd)),
      file_(dir_fd),
      guard_(dir_fd, file_),
      events_(dir_fd) {
  if (replica_count(plan_) != state().count()) {
    throw Error(Code::kUnavailable, "plan.bin and state.bin do not belong together");
  }
  held_files_ = lock_files(plan_.held_files);
  std::uint32_t next = 0;
  const LaunchGroup* previous = nullptr;
  for (const LaunchGroup& group : plan_.groups) {
    group_starts_.push_back(next);
    if (previous == nullptr || previous->role != group.role)
      roles_.push_back({next, 0, group.rules});
    roles_.back().count += static_cast<std::uint32_t>(group.count);
    previous = &group;
    next += static_cast<std::uint32_t>(group.count);
    longest_role_ = std::max(longest_role_, group.role.size());
  }
}

bool AppFiles::reserve_attempts() {
  if (!has_retries(plan_)) return true;
  // RUNNING, READY, a reason to stop it, its end, and PENDING.
  constexpr std::uint64_t kLines = 5;
  // The words and numbers of these lines take fewer bytes on average. The line about the end takes
  // more, the others take less.
  constexpr std::uint64_t kWordBytes = 180;
  return events_.reserve(std::uint64_t{state().count()} * kLines * (longest_role_ + kWordBytes));
}

void AppFiles::sync_end() {
  events_.release();
  // What `status` reads from the journal comes first.
  const StateHeader& header = state().header();
  if (header.attempts.load() != 0 || (header.fixed.traits & kHasGpus) != 0) events_.sync();
  ::fdatasync(file_.file().get());
}

StateHeader& AppFiles::edit_header() {
  guard_.restore_header();
  unseal(state().header());
  return state().header();
}

ReplicaEntry AppFiles::edit(std::uint32_t index) {
  guard_.restore(index);
  const ReplicaEntry entry = state().entry(index);
  unseal(entry);
  return entry;
}

void AppFiles::set_message(std::string_view text) {
  edit_header();
  state().set_message(text);
  ++message_changes_;
}

void AppFiles::save_header() {
  seal(state().header());
  guard_.publish_header();
}

void AppFiles::finish_edits() {
  if (state().header().check.load() == kBeingChanged) save_header();
}

void AppFiles::finish_edits(std::uint32_t index) {
  if (state().head(index).check.load() == kBeingChanged) save(index);
}

void AppFiles::save(std::uint32_t index) {
  seal(state().entry(index));
  guard_.publish(index);
}

std::uint64_t AppFiles::changed() {
  edit_header();
  const std::uint64_t sequence = state().touch();
  save_header();
  return sequence;
}

std::uint64_t AppFiles::changed(std::uint32_t index) {
  save(index);
  return changed();
}

void AppFiles::repair(StateDepth depth) {
  // The guard leaves out a header that is being changed.
  finish_edits();
  if (guard_.repair(depth))
    events_.add(changed(), "state.bin was damaged or removed, and was repaired");
}

void AppFiles::rest() {
  if (file_.size() >= kLargeState) file_.give_back_pages();
}

std::uint32_t AppFiles::role_of(std::uint32_t index) const {
  if (roles_.size() == 1) return 0;
  const auto after =
      std::upper_bound(roles_.begin(), roles_.end(), index,
                       [](std::uint32_t at, const RoleSpan& role) { return at < role.first; });
  return static_cast<std::uint32_t>(after - roles_.begin()) - 1;
}

std::pair<const LaunchGroup*, std::int32_t> AppFiles::locate(std::uint32_t index) const {
  const auto after = std::upper_bound(group_starts_.begin(), group_starts_.end(), index);
  const auto at = static_cast<std::size_t>(after - group_starts_.begin()) - 1;
  const LaunchGroup& group = plan_.groups[at];
  return {&group, group.first_replica + static_cast<std::int32_t>(index - group_starts_[at])};
}

}  // namespace slipway::local
