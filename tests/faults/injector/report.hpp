#pragma once

#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::faults {

/// A text file with one line per event.
class Report {
 public:
  /// Opens the file for appending, and makes it if it is missing. Throws std::runtime_error if that
  /// fails.
  explicit Report(const std::string& path);

  /// Writes one line immediately, unbuffered. `text` has no line break. Ignores a failed write.
  void add_line(const std::string& text) const;

 private:
  OwnedFd file_;
};

}  // namespace slipway::faults
