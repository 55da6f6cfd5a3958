// A check of the kit and its possible results.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "sdk/check/trial/options.hpp"
#include "sdk/check/trial/progress_page.hpp"
#include "sdk/check/trial/subject.hpp"

namespace slipway::check {

enum class Verdict : std::uint8_t { kPassed, kFailed, kSkipped };

/// Thrown by a check if the plug-in breaks the rule. what() is the observation; `remedy`, if not
/// empty, replaces the check's own.
struct Broken : std::runtime_error {
  explicit Broken(const std::string& what_was_seen, std::string what_to_do = {})
      : std::runtime_error(what_was_seen), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

/// Thrown by a check that cannot decide; what() is the reason. The check counts as skipped.
struct Inconclusive : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown by the kit itself when the machine lacks memory, processes or descriptors. A check that
/// throws it counts as skipped; elsewhere, the kit ends with exit status 75. Not a
/// std::system_error: a plug-in may throw one across the boundary.
struct NoResources : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Starts a thread of a check. Throws NoResources if the machine has none left.
template <typename Function>
std::jthread start_thread(Function run) {
  try {
    return std::jthread(std::move(run));
  } catch (const std::system_error& error) {
    throw NoResources("no thread for a check: " + error.code().message());
  }
}

/// Throws Broken unless `holds`.
inline void require(bool holds, const std::string& seen, std::string remedy = {}) {
  if (!holds) throw Broken(seen, std::move(remedy));
}

/// The input of a check. Without --no-fork, each check runs in its own process, in which no plug-in
/// was loaded before.
struct Trial {
  const Subject& subject;
  const Options& options;
  ProgressPage& progress;  ///< what the check is doing; outlives its process
  std::string kind;        ///< "slipway.scheduler/1"; empty for checks of the library
  std::string provider;    ///< the provider's name
  std::string directory;   ///< an empty directory for this check; the state directory is below it
};

/// What a check needs besides the library.
enum class Needs : std::uint8_t {
  kNothing,
  kApp,        ///< an app to submit (--app)
  kManifest,   ///< the manifest of the library
  kOwnProcess  ///< a process in which no other check has run
};

/// The failures to which the remedy of a check applies.
enum class Remedy : std::uint8_t {
  kForTheRule,   ///< only a broken rule; a crash or hang may have any cause
  kAlsoForCrash  ///< also a crash, a hang or an exit, which breaks this rule
};

struct Check {
  const char* name;  ///< "scheduler.stride"
  const char* kind;  ///< the kind of provider it checks; "" once per library, "*" every provider
  Needs needs;
  const char* rule;    ///< the rule, and where it is documented
  const char* remedy;  ///< the usual way to fix a violation; may be empty
  std::function<void(const Trial&)> run;
  /// Earlier checks of rules on which this one depends: after the failure of one of them, its
  /// result would say nothing new.
  std::vector<std::string_view> after = {};
  Remedy scope = Remedy::kForTheRule;  ///< the failures to which `remedy` applies
};

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string seen;    ///< why it failed or was skipped
  std::string remedy;  ///< how to fix a failure; if empty, Check::remedy says it
};

/// Returns every check in the order in which they run.
const std::vector<Check>& catalogue();

}  // namespace slipway::check
