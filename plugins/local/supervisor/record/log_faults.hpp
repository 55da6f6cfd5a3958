// Telling people that their logs are not complete.
#pragma once

#include <string>

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// Passes the failures of the merger on: a line in the event log for each that is new, and, unless
/// the app has something else to say, its message.
class LogFaults {
 public:
  /// `files` must outlive this.
  explicit LogFaults(AppFiles& files) : files_(files) {}

  /// `error` as of CombinedMerger::error(). A comparison when there is nothing new.
  void tell(const std::string& error);

 private:
  AppFiles& files_;
  std::string told_;
};

}  // namespace slipway::local
