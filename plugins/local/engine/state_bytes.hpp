// `state.bin` of one app as whoever reads it sees it: the part before the records.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "plugins/local/engine/state_layout.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// What is before the records, read in at most two pieces and checked: the bytes are untrusted. Not
/// for several threads at once.
class StateBytes {
 public:
  /// Opens `path` below the directory `dir_fd`, which holds no symbolic links. `roles`: the role
  /// table, too. Throws OtherVersion for a format that this program does not read.
  StateBytes(int dir_fd, bool roles, const std::string& path = kStateName);

  /// What is wrong with it; empty: what was asked for is there.
  const std::string& problem() const { return problem_; }
  /// The errno of a problem that says nothing about the file's contents, else 0.
  int error() const { return error_; }

  // The following only without a problem.

  const StateFixed& fixed() const { return fixed_; }
  /// For reading the records; open as long as this.
  int file() const { return file_.get(); }
  std::string text(StringRef ref) const { return bytes_.substr(ref.offset, ref.length); }
  /// A field, by its place in the file.
  template <typename T>
  T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

 private:
  void read_header(std::uint64_t size);
  bool read_to(std::uint64_t end);

  OwnedFd file_;
  std::string bytes_;
  StateFixed fixed_{};
  std::string problem_;
  int error_ = 0;
};

}  // namespace slipway::local
