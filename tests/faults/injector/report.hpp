#pragma once

#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::faults {

/// A text file that gets one line per event, at once.
class Report {
 public:
  /// Throws std::system_error when the file cannot be made.
  explicit Report(const std::string& path);

  void line(const std::string& text) const;

 private:
  OwnedFd file_;
};

}  // namespace slipway::faults
