#include "plugins/local/logs/missing_files.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>

#include <utility>

namespace slipway::local {
namespace {

// Number of searches for a directory to watch. Without a limit the search would not end if a file
// is in the place of a directory: each time it looks like a directory that was just made.
constexpr int kSearches = 8;

// Returns "a" for "a/b", "." for "a", "/" for "/a", as views of `path` or constants.
std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool exists(std::string_view path) {
  struct stat status {};
  return ::stat(std::string(path).c_str(), &status) == 0;
}

}  // namespace

MissingFiles::Wait MissingFiles::await(std::string_view path, std::uint32_t file) {
  for (int search = 0; search < kSearches; ++search) {
    // Goes up to the nearest directory that can be watched.
    std::string_view missing = path;
    std::uint32_t index = 0;
    WatchSet::Arm armed = WatchSet::Arm::kMissing;
    while (true) {
      const std::string_view parent = directory_of(missing);
      index = directory_index(parent);
      Directory& directory = directories_[index];
      constexpr std::uint32_t kMask = IN_CREATE | IN_MOVED_TO | IN_ONLYDIR;
      armed = directory.watch >= 0
                  ? WatchSet::Arm::kArmed
                  : watches_.arm(std::string(parent).c_str(), kMask, index | kTag, directory.watch);
      if (armed != WatchSet::Arm::kMissing || parent == "." || parent == "/") break;
      missing = parent;
    }
    if (armed == WatchSet::Arm::kRefused) return Wait::kRefused;
    if (armed != WatchSet::Arm::kArmed) break;
    Directory& directory = directories_[index];
    if (!exists(missing)) {
      directory.missing.emplace(name_of(missing), file);
      return Wait::kWaiting;
    }
    // `missing` was made before the watch: tries again from further down.
    if (directory.missing.empty()) watches_.drop(std::exchange(directory.watch, -1));
    if (missing.size() == path.size()) return Wait::kThere;
  }
  return Wait::kUnwatchable;
}

void MissingFiles::on_event(const WatchSet::Event& event, const HandBack& hand_back) {
  Directory& directory = directories_[event.tag & ~kTag];
  if ((event.mask & IN_IGNORED) != 0) {
    // The directory is gone: its files must be awaited in one further up.
    release_all(directory, hand_back);
    return;
  }
  const auto [first, end] = directory.missing.equal_range(event.name);
  for (auto entry = first; entry != end; ++entry) hand_back(entry->second);
  directory.missing.erase(first, end);
  if (directory.missing.empty()) watches_.drop(std::exchange(directory.watch, -1));
}

void MissingFiles::on_lost_events(const HandBack& hand_back) {
  for (Directory& directory : directories_) release_all(directory, hand_back);
}

void MissingFiles::release_all(Directory& directory, const HandBack& hand_back) {
  directory.watch = -1;
  for (const auto& [name, file] : directory.missing) hand_back(file);
  directory.missing.clear();
}

std::uint32_t MissingFiles::directory_index(std::string_view path) {
  const auto found = index_.find(path);
  if (found != index_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(directories_.size());
  index_.emplace(path, index);
  directories_.emplace_back();
  return index;
}

}  // namespace slipway::local
