// The results and the list of checks, as texts for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

/// The outcome of a check for one provider.
struct Result {
  const Check* check;
  std::string provider;  ///< empty for checks of the library
  Outcome outcome;
};

/// The results of one plug-in.
struct Report {
  Subject subject;
  std::vector<Result> results;
};

/// Returns the line of a result for people; after a failure also the rule, what was seen, and the
/// remedy.
std::string text_of(const Result& result);
/// Returns a line for people with the numbers of checks that passed, failed and were skipped.
std::string text_sums(const std::vector<Result>& results);
/// Returns one JSON object: library, manifest (if one was given), passed, failed, skipped, checks.
/// If `are_several` (the manifest has several plug-ins, even if only one has results), it has the
/// manifest, the sums, and `plugins` with the object of each. At least one report is required.
std::string json_report(const std::vector<Report>& reports, bool are_several);

/// Return the checks and their rules, as lines for people and as one JSON object.
std::string text_list();
std::string json_list();

/// Returns the number of results with this verdict.
int count(const std::vector<Result>& results, Verdict verdict);

}  // namespace slipway::check
