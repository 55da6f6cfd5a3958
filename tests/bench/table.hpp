#pragma once

#include <optional>
#include <string>

#include "tests/bench/sample_series.hpp"

namespace slipway::bench {

/// One row: what was measured, the baseline, and the target.
struct Row {
  std::string name;
  double subject = 0;              ///< in `unit`
  std::optional<double> baseline;  ///< in `unit`
  std::string ratio;               ///< as text; may be empty
  std::string target;              ///< as text; empty: only for information
  bool over = false;               ///< the target is missed
  std::string unit = "ms";         ///< empty for a plain number
};

/// Returns a row without a target.
Row ratio_row(std::string name, const Comparison& result);

/// Returns a row whose target is a ratio of at most `limit`.
Row ratio_row(std::string name, const Comparison& result, double limit);

/// Returns a row whose target is a ratio below `limit`.
Row ratio_row_below(std::string name, const Comparison& result, double limit);

/// Prints how busy the machine is: on a busy machine, wall times depend on the kernel's scheduling.
void print_load();

/// Prints rows as they arrive, with a heading before the first row of each group.
class Table {
 public:
  /// Prints what the next rows measure, and what their baseline is.
  void heading(const std::string& group, const std::string& baseline);
  void add(const Row& row);
  /// Prints a line of text about the row above it, or about the next rows.
  void note(const std::string& text);
  /// Returns the number of rows that missed their target.
  int over_count() const { return over_; }

 private:
  int over_ = 0;
};

}  // namespace slipway::bench
