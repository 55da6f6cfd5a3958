// Reads the values of an app's replicas from `state.bin`.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/header_reader.hpp"
#include "plugins/local/engine/record_check.hpp"

namespace slipway::local {

/// The detail of a description.
enum class Detail {
  /// Every replica with all of its values.
  kEach,
  /// In roles of more than SLIPWAY_MERGE_ABOVE replicas, merges neighbours without error files that
  /// differ only in pid, times and used resources into one ReplicaSnapshot without these. Leaves
  /// out the earlier attempts and ports of all replicas. For an app with GPUs, read_app() uses
  /// kEach instead.
  kMerged,
};

/// The heads or the tails of all replicas. Reads them in pieces that stay in the processor's cache,
/// because touching new memory takes longer than reading a piece again into the same.
class Column {
 public:
  Column(int fd, std::uint64_t offset, std::size_t element_bytes, std::uint32_t count)
      : fd_(fd), offset_(offset), element_bytes_(element_bytes), count_(count) {}

  /// Returns element `index`, which is valid until the next call. Indexes must ascend. Null with
  /// errno set if the file cannot be read; 0: it is too short.
  const char* at(std::uint32_t index) {
    // Indexes ascend, so `index` is not below first_.
    if (index - first_ >= held_ && !fill(index)) return nullptr;
    return buffer_.get() + std::size_t{index - first_} * element_bytes_;
  }

  /// Returns element `index` like at(), but reads it again until `is_whole` accepts it. Null with
  /// errno EBADMSG if `is_whole` never does.
  template <typename IsWhole>
  const char* whole_at(std::uint32_t index, IsWhole is_whole) {
    for (int left = kMostReads; left > 0; --left) {
      const char* const element = at(index);
      if (element == nullptr || is_whole(element)) return element;
      held_ = 0;
    }
    errno = EBADMSG;
    return nullptr;
  }

 private:
  bool fill(std::uint32_t index);

  int fd_;
  std::uint64_t offset_;       // of element 0 in the file
  std::size_t element_bytes_;  // size of an element
  std::uint32_t count_;        // number of elements
  static constexpr std::size_t kBufferBytes = std::size_t{16} * 1024;
  // Not part of the object, which is on a stack that the user may have limited.
  std::unique_ptr<char[]> buffer_;  // null until the first read
  std::uint32_t first_ = 0;         // index of the first element in the buffer
  std::uint32_t held_ = 0;          // number of elements in the buffer
};

/// Reads the replicas of a state file without a problem(). Reads heads before tails, as the order
/// of writes requires (state_layout.hpp).
class ReplicaReader {
 public:
  /// `bytes`, with the role table, must outlive this.
  ReplicaReader(const HeaderReader& bytes, Detail detail);

  /// Fills in `roles` with the values in the entries. Returns why it failed; empty on success.
  std::string read(std::vector<RoleSnapshot>& roles);
  /// Returns the errno of a problem that does not concern the file's contents, else 0.
  int error() const { return error_; }

  /// Returns the words of all replicas, role after role, without those of merged roles. They show
  /// how many earlier attempts the journal must have.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  RoleEntry role(std::uint32_t index) const;
  bool read_heads(const RoleEntry& entry, RoleSnapshot& role);
  bool merge_heads(const RoleEntry& entry, RoleSnapshot& role);
  bool add_tails(const RoleEntry& entry, RoleSnapshot& role);
  std::int64_t restart_due(const RoleEntry& entry);
  std::string problem(const std::string& role);

  const HeaderReader& bytes_;
  Detail detail_;
  Column heads_;
  Column tails_;
  std::vector<std::uint64_t> words_;  // see words()
  int error_ = 0;
  std::uint32_t id_ = 0;  // number of the replica that it reads, for problem()
};

}  // namespace slipway::local
