#pragma once

#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::faults {

/// A text file with one line per event.
class Report {
 public:
  /// Throws std::system_error when the file cannot be made.
  explicit Report(const std::string& path);

  /// Writes one line immediately, unbuffered. `text` has no line break.
  void add_line(const std::string& text) const;

 private:
  OwnedFd file_;
};

}  // namespace slipway::faults
