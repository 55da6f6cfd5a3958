// Waits for files that do not exist yet, and whose directories may not exist either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/logs/watch_set.hpp"

namespace slipway::local {

/// Watches the nearest existing directory of each file, with one watch per directory for any number
/// of files, and looks only at files whose name appeared. For one thread.
class MissingFiles {
 public:
  /// The result of await().
  enum class Wait {
    kWaiting,      ///< watched; on_event() or on_lost_events() will hand the file back
    kThere,        ///< it exists now
    kUnwatchable,  ///< a directory above it cannot be watched, or is a file
    kRefused,      ///< the kernel's limits, see WatchSet::Arm
  };
  using HandBack = std::function<void(std::uint32_t file)>;

  /// The bit in the tags of these watches; the tags of the caller's own watches do not have it.
  static constexpr std::uint32_t kTag = 0x80000000U;

  /// `watches` is borrowed.
  explicit MissingFiles(WatchSet& watches) : watches_(watches) {}

  /// Starts to wait for `path`, whose text must outlive this. `file` is the caller's number for it.
  /// Do not call it again for the same number before the file was handed back.
  Wait await(std::string_view path, std::uint32_t file);

  /// Handles an event whose tag has kTag. Calls `hand_back` for each file that the event may
  /// concern: it may exist now, or must be awaited again in another directory. `hand_back` must
  /// not call await().
  void on_event(const WatchSet::Event& event, const HandBack& hand_back);

  /// Hands all files back, after WatchSet::read() lost events. `hand_back` is as for
  /// on_event().
  void on_lost_events(const HandBack& hand_back);

 private:
  /// A directory that was watched for a file.
  struct Directory {
    std::int32_t watch = -1;                                 // -1: not watched now
    std::multimap<std::string_view, std::uint32_t> missing;  // the caller's numbers, by file name
  };
  std::uint32_t directory_index(std::string_view path);
  void release_all(Directory& directory, const HandBack& hand_back);

  WatchSet& watches_;
  std::vector<Directory> directories_;  // the index is the tag of the watch, with kTag
  std::map<std::string, std::uint32_t, std::less<>> index_;  // by path
};

}  // namespace slipway::local
