#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/faults/injector/process_part.hpp"

namespace slipway::faults {

/// A fault at one system call of a run.
struct Fault {
  enum class Kind {
    kNone,        // nothing; the selected calls of every part are reported
    kKillBefore,  // SIGKILL, and the call is not made
    kKillAfter,   // SIGKILL, once the call has been made
    kFail,        // the call is not made, and its caller gets `error_number`
  };
  Kind kind = Kind::kNone;
  int error_number = 0;
  /// kFail: every later call of those in `calls` also fails.
  bool from_then_on = false;
  /// Kills: the warden also dies, before the target does.
  bool also_warden = false;
  /// The target: the process that was the `instance`-th (from 0) to play `part`. With `every_part`
  /// all of them are the target, and their calls are counted together.
  Part part = Part::kCommand;
  bool every_part = false;
  int instance = 0;
  /// The selected call: the `at`-th (from 1) of those in `calls`; of all calls if that is empty.
  std::uint64_t at = 1;
  std::set<std::uint64_t> calls;

  [[nodiscard]] bool selects(std::uint64_t call) const {
    return calls.empty() || calls.contains(call);
  }
};

/// The options of the command line.
struct Options {
  Fault fault;
  /// The path of the report; ../README.md describes its lines.
  std::string report;
  std::vector<std::string> command;
};

/// Reads the command line. Throws std::invalid_argument with a message for people.
Options parse_options(int argc, char** argv);

}  // namespace slipway::faults
