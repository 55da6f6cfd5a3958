// The part of `state.bin` before the entries, as a reader needs it: header, strings, role table.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/local/engine/state_layout.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The part of the file that a HeaderReader reads.
enum class HeaderPart {
  kWithoutRoles,  ///< header and strings, without the role names and the ports
  kWithRoles,     ///< everything before the entries
};

/// Reads a HeaderPart, in at most two pieces, and checks it: the bytes are untrusted. Reads the
/// first piece again, up to kMostReads times in all (record_check.hpp), if a change during the read
/// made its check wrong. Not thread safe.
class HeaderReader {
 public:
  /// Opens `path` below the directory `dir_fd`, without following symbolic links, and reads `part`.
  /// Throws OtherVersion for a format that this program does not read.
  HeaderReader(int dir_fd, HeaderPart part, const std::string& path = kStateName);

  /// Returns why the bytes cannot be used; empty: they can.
  const std::string& problem() const { return problem_; }
  /// Returns the errno of a problem that is no damage of the record; 0: it is damage, such as a
  /// missing file or a link in its place, or there is no problem.
  int error() const { return error_; }

  // The caller may use the following only if problem() is empty.

  const StateFixed& fixed() const { return fixed_; }
  /// Returns the descriptor of the file, for the entries. It belongs to this object.
  int file() const { return file_.get(); }
  std::string text(StringRef ref) const { return bytes_.substr(ref.offset, ref.length); }
  /// Returns the field at `offset` of the file.
  template <typename T>
  T at(std::size_t offset) const {
    return value_at<T>(bytes_.data(), offset);
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
