#pragma once

#include <functional>
#include <vector>

namespace slipway::bench {

/// Returns the median: the mean of the two middle values if their number is even, 0 if there are
/// none.
double median(std::vector<double> values);

/// Returns the smallest value that a `share` (0 to 1) of the values do not exceed, or 0 if there
/// are none.
double quantile(std::vector<double> values, double share);

/// A subject and a baseline, measured alternately, so that other load affects both.
struct Comparison {
  double subject = 0;   ///< median over the rounds, in the unit of the measures
  double baseline = 0;  ///< likewise
  double ratio = 0;     ///< median of the rounds' ratios
  double lowest = 0;    ///< smallest ratio of a round
  double highest = 0;   ///< largest ratio of a round
};

/// Measures once and returns the value: milliseconds, unless the row has another unit.
using Measure = std::function<double()>;

/// Runs `rounds` rounds of `pairs` pairs baseline, subject, baseline, subject... A round's value is
/// the median of its pairs. An uncounted pair warms the caches first.
Comparison compare(int rounds, int pairs, const Measure& subject, const Measure& baseline);

}  // namespace slipway::bench
