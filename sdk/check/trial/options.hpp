// The command line of the kit.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/dict.hpp"

namespace slipway::check {

struct Options {
  std::string target;  ///< LIBRARY or MANIFEST
  bool json = false;
  bool list = false;              ///< print the checks and run none
  std::vector<std::string> only;  ///< names of checks or groups; empty: all
  std::string provider;           ///< the one provider to check beside the library; empty: all
  std::string app_file;           ///< as given; empty: submit nothing
  std::optional<AppDef> app;      ///< the app in `app_file`
  StrDict run_options;  ///< texts of --cfg; the scheduler's declaration decides their types
  std::string image;    ///< for the kit's own app and image providers; empty: a directory
  int limit_s = 60;     ///< time limit of a check in seconds
  bool fork = true;     ///< run each check in a process of its own

  /// Returns how long a check waits for an app or its logs: half of the time limit, so that the
  /// check still has time to report what it saw.
  std::chrono::milliseconds longest_wait() const {
    return std::chrono::milliseconds(limit_s * 1000L / 2);
  }
};

/// Wrong use of the command; `what()` is for people.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the command line and the app file. Returns nullopt after printing --help or --version.
/// Throws UsageError.
std::optional<Options> read_command_line(int argc, char** argv);

}  // namespace slipway::check
