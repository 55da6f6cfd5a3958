#pragma once

#include <functional>
#include <vector>

namespace slipway::bench {

/// The middle value; the mean of the two middle ones of an even number. 0 of nothing.
double median(std::vector<double> values);

/// The smallest value that `share` (0 to 1) of all values do not exceed. 0 of nothing.
double quantile(std::vector<double> values, double share);

/// Two things measured alternately, so that what else the machine does hits both.
struct Comparison {
  double subject = 0;   ///< median over the rounds, in milliseconds
  double baseline = 0;  ///< median over the rounds, in milliseconds
  double ratio = 0;     ///< median of the rounds' ratios
  double lowest = 0;    ///< smallest ratio of a round
  double highest = 0;   ///< largest ratio of a round
};

/// Measures one thing once and returns milliseconds.
using Measure = std::function<double()>;

/// `rounds` rounds of `pairs` pairs baseline, subject, baseline, subject...; a round's value is the
/// median of its `pairs` values. One pair before them is not counted: it warms the caches.
Comparison compare(int rounds, int pairs, const Measure& subject, const Measure& baseline);

}  // namespace slipway::bench
