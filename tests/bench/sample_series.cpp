#include "tests/bench/sample_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/bench/interruption.hpp"

namespace slipway::bench {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  const auto position = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return values[std::min(position, values.size() - 1)];
}

Comparison compare(int rounds, int pairs, const Measure& subject, const Measure& baseline) {
  std::vector<double> subjects;
  std::vector<double> baselines;
  std::vector<double> ratios;
  baseline();
  subject();
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> ours;
    std::vector<double> theirs;
    for (int pair = 0; pair < pairs; ++pair) {
      fail_if_interrupted();
      theirs.push_back(baseline());
      ours.push_back(subject());
    }
    subjects.push_back(median(ours));
    baselines.push_back(median(theirs));
    ratios.push_back(subjects.back() / baselines.back());
  }
  const auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
  return {median(subjects), median(baselines), median(ratios), *lowest, *highest};
}

}  // namespace slipway::bench
