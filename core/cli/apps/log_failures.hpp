// Decides how long a reader of logs tries again after temporary errors.
#pragma once

#include <string>

#include "slipway/error.hpp"

namespace slipway::cli {

/// The temporary errors of a reader of logs since its last line.
class LogFailures {
 public:
  /// Forgets the errors, because a line has come.
  void delivered() {
    count_ = 0;
    last_.clear();
  }
  /// Prints a warning unless `error` repeats the last one. Returns whether to continue; false after
  /// 1000 errors without a line.
  bool add(const Error& error);

 private:
  std::string last_;  // the message of the last error
  int count_ = 0;
};

}  // namespace slipway::cli
