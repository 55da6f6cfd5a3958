// The index of finished apps, `<state root>/.finished`. With it a listing opens no record of an
// app that the index has. The index is a cache: without it, a listing opens every record.
//
// [IndexHead]([IndexEntry][session, app id, name, scheduler]) x count. Byte order of the
// machine: machines that share a state root have the same one.
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

/// An app as a listing found it. The texts belong to the index or to `opened`. Times are since the
/// epoch; 0: not yet, or never.
struct ListedApp {
  std::string_view session;
  std::string_view app_id;
  std::string_view name;
  std::string_view scheduler;
  AppState state = AppState::kUnknown;
  std::int64_t submitted_ns = 0;
  std::int64_t started_ns = 0;
  std::int64_t finished_ns = 0;
  std::uint64_t inode = 0;        ///< of the app's directory, as readdir() returns it
  std::int64_t order = 0;         ///< as in LaunchPlan
  std::uint64_t machine_tag = 0;  ///< of the machine that the app belongs to (machine_identity.hpp)
  /// The summary that was read from the app's record; null: the app is from the index.
  const AppSummary* opened = nullptr;
};

/// The terminal apps of an index. They do not change any more, and Slipway never uses the id of a
/// deleted app again. The index does not know whether an app still exists: the caller looks for its
/// directory. Takes about 100 bytes for each app. Owns its bytes; any thread may call it.
class FinishedIndex {
 public:
  /// Makes an empty index.
  FinishedIndex() = default;
  /// Reads the result of finished_index_bytes(). `bytes` are untrusted: if they are damaged or of
  /// another version, the index is empty.
  explicit FinishedIndex(std::string bytes);
  FinishedIndex(const FinishedIndex&) = delete;
  FinishedIndex& operator=(const FinishedIndex&) = delete;

  std::size_t size() const { return entries_.size(); }

  /// Returns whether a newer version of Slipway wrote the index. The caller then keeps its file.
  bool is_newer() const { return is_newer_; }

  /// Returns the app, whose texts belong to the index; nullopt if the index does not have it. The
  /// inode excludes a directory that replaced the app's.
  std::optional<ListedApp> find(std::string_view session, std::string_view app_id,
                                std::uint64_t inode) const;

 private:
  bool read_entries(std::size_t offset, std::uint32_t count);

  bool is_newer_ = false;
  std::string bytes_;
  std::unordered_map<std::uint64_t, std::size_t> entries_;  // offset of the entry by inode
};

/// Returns the bytes of an index of the terminal apps among `apps`.
std::string finished_index_bytes(const std::vector<ListedApp>& apps);

/// Returns the index below the state root `root_fd`; an empty one if it is missing or unreadable.
FinishedIndex read_finished(int root_fd);

/// Replaces the index by one of the terminal apps among `apps`. A concurrent reader sees the old or
/// the new index. Keeps the old one if another process is writing, if the new one cannot be
/// written, or if it would be too large for read_finished(). That costs only time.
void write_finished(int root_fd, const std::vector<ListedApp>& apps);

}  // namespace slipway::local
