#include <fmt/core.h>

#include <string>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"

namespace slipway::bench {
namespace {

constexpr double kNsPerMs = 1e6;

/// Measures an operation of helpers/boundary.cpp. The contract may cost `limit` more than the
/// virtual function; `unit` is "ns" or "ms".
Row more_than_virtual(const BenchRun& run, const std::string& name, const std::string& operation,
                      double limit, const std::string& unit) {
  const auto measured = [&](const char* way) {
    const double ns = std::stod(output_of({run.tree.helper("bench-boundary"), operation, way}));
    return unit == "ms" ? ns / kNsPerMs : ns;
  };
  const Comparison result = compare(
      run.options.quick ? 3 : 7, /*pairs=*/3, [&] { return measured("contract"); },
      [&] { return measured("virtual"); });
  Row row = ratio_row(name, result);
  row.unit = unit;
  row.target = fmt::format("+ {} {}", limit, unit);
  row.over = result.subject - result.baseline > limit;
  return row;
}

}  // namespace

void bench_boundary(const BenchRun& run, Table& table) {
  table.heading("boundary, processor time", "a virtual function of the same object");
  table.add(more_than_virtual(run, "a call of a plug-in", "call", 5, "ns"));
  table.add(more_than_virtual(run, "describe of 10,000 replicas", "describe", 1, "ms"));
  table.add(more_than_virtual(run, "a line of a log", "log", 20, "ns"));
}

}  // namespace slipway::bench
