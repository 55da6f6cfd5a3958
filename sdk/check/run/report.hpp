// Prints the results and the list of checks.
#pragma once

#include <string>
#include <vector>

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

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

/// Return texts for people: the line of a result with, after a failure, the way to fix it; and the
/// sums.
std::string text_of(const Result& result);
std::string text_sums(const std::vector<Result>& results);
/// Returns one JSON object: library, manifest, passed, failed, skipped, checks. For a manifest of
/// several plug-ins, even if only one has results, it has the manifest, the sums, and `plugins`
/// with the object of each. At least one report is required.
std::string json_report(const std::vector<Report>& reports, bool are_several);

/// Return the checks and their rules.
std::string text_list();
std::string json_list();

int count(const std::vector<Result>& results, Verdict verdict);

}  // namespace slipway::check
