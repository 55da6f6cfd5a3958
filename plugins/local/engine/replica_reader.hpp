// What `state.bin` says of an app's replicas.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_bytes.hpp"

namespace slipway::local {

/// The detail of a description.
enum class Detail {
  /// Every replica, with everything that is known about it.
  kEach,
  /// In roles of more than SLIPWAY_MERGE_ABOVE replicas, neighbours that differ only in pid and
  /// times are one entry without these. Leaves out earlier attempts, ports and GPUs.
  kMerged,
};

/// The heads or the tails of all replicas. Read in pieces that stay in the processor's cache: for
/// many replicas, getting memory for all would take longer than reading them.
class Column {
 public:
  Column(int fd, std::uint64_t offset, std::size_t element, std::uint32_t count)
      : fd_(fd), offset_(offset), element_(element), count_(count) {}

  /// Element `index`, until the next call; indexes ascend. Null: the file ends or cannot be read.
  const char* at(std::uint32_t index);

  /// As at(), and reads again until `is_whole` says yes of the element. Null with errno EBADMSG
  /// when it never does.
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
  std::uint64_t offset_;
  std::size_t element_;
  std::uint32_t count_;
  static constexpr std::size_t kBufferBytes = std::size_t{32} * 1024;
  // Not in the object, which lies on a stack that the user may have limited.
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes);
  std::uint32_t first_ = 0;
  std::uint32_t held_ = 0;
};

/// Reads the replicas of a file without a problem. Heads are read before tails, as the order of
/// their fields demands.
class ReplicaReader {
 public:
  /// `bytes`, with the role table, must outlive this.
  ReplicaReader(const StateBytes& bytes, Detail detail);

  /// Fills in `roles`, but for what other files say. Returns what is wrong with the file; empty:
  /// nothing is.
  std::string read(std::vector<RoleSnapshot>& roles);

  /// The words of all replicas that were read one by one, in their order.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  RoleEntry role(std::uint32_t index) const;
  bool read_heads(const RoleEntry& entry, RoleSnapshot& role);
  bool merge_heads(const RoleEntry& entry, RoleSnapshot& role);
  bool add_tails(const RoleEntry& entry, RoleSnapshot& role);
  std::string problem(const std::string& role) const;

  const StateBytes& bytes_;
  Detail detail_;
  Column heads_;
  Column tails_;
  std::vector<std::uint64_t> words_;
  std::uint32_t id_ = 0;  // of the replica that was read last
};

}  // namespace slipway::local
