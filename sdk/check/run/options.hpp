// What the command line of the kit asks for.
#pragma once

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
  bool list = false;              ///< say which checks there are, and check nothing
  std::vector<std::string> only;  ///< names of checks, or the part before the dot; empty: all
  std::string provider;           ///< this provider alone; empty: all
  std::string app_file;           ///< as given; empty: nothing is submitted
  std::optional<AppDef> app;      ///< what `app_file` says
  StrDict run_options;            ///< of --cfg: text values, typed by what the scheduler declares
  int limit_s = 60;               ///< a check that takes longer hangs
};

/// Wrong use of the command; `what()` is for people.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the command line, the app file included. Throws UsageError. Without a value: --help was asked for and printed.
std::optional<Options> read_command_line(int argc, char** argv);

}  // namespace slipway::check
