// Waiting for files that do not exist yet, nor perhaps the directories on the way to them.
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

/// Watches the nearest existing directory of each file, one watch per directory however many files
/// wait for something in it, and looks only at those whose name appeared. One thread.
class MissingFiles {
 public:
  enum class Wait {
    kWaiting,      ///< watched; on_event() or on_lost_events() will hand the file back
    kThere,        ///< it exists by now
    kUnwatchable,  ///< something on the way to it can't be watched
    kRefused,      ///< the kernel's limits, see WatchSet::Arm
  };
  using HandBack = std::function<void(std::uint32_t file)>;

  /// In the tags of the watches made here; the owner of `watches` uses tags without it.
  static constexpr std::uint32_t kTag = 0x80000000U;

  /// `watches` is borrowed.
  explicit MissingFiles(WatchSet& watches) : watches_(watches) {}

  /// Waits for `path`, whose text must live as long as this; `file` is the owner's number for it.
  /// Not to be called again for the same number before it was handed back.
  Wait await(std::string_view path, std::uint32_t file);

  /// For events whose tag has kTag. Calls `hand_back` for each file that came a step nearer: it may
  /// exist, or must be awaited again, one directory further down or up.
  void on_event(const WatchSet::Event& event, const HandBack& hand_back);

  /// After WatchSet::read() lost events: hands everything back.
  void on_lost_events(const HandBack& hand_back);

 private:
  struct Directory {
    std::int32_t watch = -1;
    std::multimap<std::string_view, std::uint32_t> missing;  // name -> file
  };
  std::uint32_t directory_index(std::string_view path);
  void release_all(Directory& directory, const HandBack& hand_back);

  WatchSet& watches_;
  std::vector<Directory> directories_;  // the index is the tag of the watch, with kTag
  std::map<std::string, std::uint32_t, std::less<>> index_;  // by path
};

}  // namespace slipway::local
