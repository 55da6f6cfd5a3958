// What the kit prints.
#pragma once

#include <string>
#include <vector>

#include "sdk/check/check.hpp"
#include "sdk/check/run/child.hpp"

namespace slipway::check {

struct Result {
  const Check* check;
  std::string provider;  ///< empty for checks of the library
  Outcome outcome;
};

/// For people: a line per result, and what to do about each failure.
std::string text_report(const Subject& subject, const std::vector<Result>& results);
/// One JSON object: library, manifest, passed, failed, skipped, checks.
std::string json_report(const Subject& subject, const std::vector<Result>& results);

/// Which checks there are, and what each of them looks at.
std::string text_list();
std::string json_list();

int count(const std::vector<Result>& results, Verdict verdict);

}  // namespace slipway::check
