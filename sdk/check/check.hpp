// What one check of the kit is, and what can come of it.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/run/board.hpp"
#include "sdk/check/run/options.hpp"
#include "sdk/check/subject.hpp"

namespace slipway::check {

enum class Verdict : std::uint8_t { kPassed, kFailed, kSkipped };

/// Thrown by a check: the rule is broken. `saw` is what was observed, `remedy` replaces the check's own when not empty.
struct Broken : std::runtime_error {
  explicit Broken(const std::string& what_was_seen, std::string what_to_do = {})
      : std::runtime_error(what_was_seen), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

/// Thrown by a check: it cannot tell, and why.
struct Unable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Broken unless `holds`.
inline void require(bool holds, const std::string& saw, std::string remedy = {}) {
  if (!holds) throw Broken(saw, std::move(remedy));
}

/// What a check works on. A check runs in a process of its own; nothing was loaded there before.
struct Trial {
  const Subject& subject;
  const Options& options;
  Board& board;           ///< survives the process: what it was about to do
  std::string kind;       ///< "slipway.scheduler/1"; empty for checks of the library
  std::string provider;   ///< its name
  std::string directory;  ///< empty, for this check alone: the state directory is below it
};

enum class Needs : std::uint8_t { kNothing, kApp, kManifest };

struct Check {
  const char* name;  ///< "scheduler.stride"
  const char*
      kind;  ///< runs for each provider of this kind; "" once per library, "*" for every provider
  Needs needs;         ///< what the command line must have given
  const char* rule;    ///< what must hold, and where that stands
  const char* remedy;  ///< what to do about it, usually
  std::function<void(const Trial&)> run;
};

/// Every check, in the order in which they run.
const std::vector<Check>& catalogue();

}  // namespace slipway::check
