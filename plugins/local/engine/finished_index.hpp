// What is known of finished apps without opening their records: the bytes of the index file.
//
// [IndexHead]([IndexEntry][session, app id, name, scheduler]) x count. Host byte order: the index
// is read by the machines that share the directory, which are alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// An app as a listing found it. Points into what it was read from.
struct ListedApp {
  std::string_view session;
  std::string_view app_id;
  std::string_view name;
  std::string_view scheduler;
  State state = State::kUnknown;
  std::int64_t submitted_ns = 0;
  std::int64_t started_ns = 0;
  std::int64_t finished_ns = 0;
  std::uint64_t inode = 0;        ///< of the app's directory, as reading the session's gives it
  std::int64_t order = 0;         ///< as in LaunchPlan
  std::uint64_t machine_tag = 0;  ///< of the machine that the app belongs to (machine_identity.hpp)
  const AppSummary* opened = nullptr;  ///< what its record says; null: it was found in the index
};

/// What is known of terminal apps: they do not change any more, and the names of deleted apps do
/// not come back. It says nothing about whether an app still exists: who found its directory asks.
/// Some 100 bytes an app. Owns its bytes; any thread may ask.
class FinishedIndex {
 public:
  /// Knows nothing.
  FinishedIndex() = default;
  /// Takes what finished_index_bytes() made. `bytes` are untrusted: when anything about them is
  /// wrong (cut, changed, of another version), it knows nothing.
  explicit FinishedIndex(std::string bytes);
  FinishedIndex(const FinishedIndex&) = delete;
  FinishedIndex& operator=(const FinishedIndex&) = delete;

  std::size_t size() const { return entries_.size(); }

  /// Whether a newer version of Slipway made the index, which must not be replaced.
  bool is_newer() const { return is_newer_; }

  /// The app, which points into the index; nullopt when it is not known. A directory that was put
  /// in the place of another has another inode, and is not known.
  std::optional<ListedApp> find(std::string_view session, std::string_view app_id,
                                std::uint64_t inode) const;

 private:
  bool read_entries(std::size_t offset, std::uint32_t count);

  bool is_newer_ = false;
  std::string bytes_;
  std::unordered_map<std::uint64_t, std::size_t> entries_;  // offset of the entry by inode
};

/// An index of those `apps` that are terminal.
std::string finished_index_bytes(const std::vector<ListedApp>& apps);

}  // namespace slipway::local
