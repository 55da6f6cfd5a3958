#pragma once

#include <optional>
#include <string>

#include "tests/bench/sample_series.hpp"

namespace slipway::bench {

/// One line: what was measured, against what, and the bound that it should keep.
struct Row {
  std::string name;
  double subject = 0;              ///< in `unit`
  std::optional<double> baseline;  ///< in `unit`
  std::string ratio;               ///< as text, empty without a baseline
  std::string target;              ///< as text, empty: for information
  bool over = false;
  std::string unit = "ms";  ///< empty: a number
};

Row ratio_row(std::string name, const Comparison& result);

/// `inclusive`: a ratio equal to the limit is within it.
Row ratio_row(std::string name, const Comparison& result, double limit, bool inclusive);

/// Says how busy the machine is: on a busy one, wall times compare schedulers' luck.
void print_load();

/// Prints rows as they come, with a heading over the first one of each group.
class Table {
 public:
  void heading(const std::string& group, const std::string& baseline);
  void add(const Row& row);
  /// A line of text below the row that it belongs to.
  void note(const std::string& text);
  int over_count() const { return over_; }

 private:
  int over_ = 0;
};

}  // namespace slipway::bench
