#include "tests/bench/table.hpp"

#include <fmt/core.h>
#include <stdlib.h>

#include <cstdio>
#include <thread>
#include <utility>

namespace slipway::bench {
namespace {

constexpr const char* kLine = "{:<34} {:>10} {:>10}  {:<20} {:<9} {}\n";

std::string text_of(double value, const std::string& unit) {
  return unit == "ms" ? fmt::format("{:.2f} ms", value)
                      : fmt::format("{:.0f}{}{}", value, unit.empty() ? "" : " ", unit);
}

}  // namespace

Row ratio_row(std::string name, const Comparison& result) {
  return {std::move(name),
          result.subject,
          result.baseline,
          fmt::format("{:.2f} ({:.2f}..{:.2f})", result.ratio, result.lowest, result.highest),
          {},
          false,
          "ms"};
}

Row ratio_row(std::string name, const Comparison& result, double limit) {
  Row row = ratio_row(std::move(name), result);
  row.target = fmt::format("<= {}", limit);
  row.over = result.ratio > limit;
  return row;
}

Row ratio_row_below(std::string name, const Comparison& result, double limit) {
  Row row = ratio_row(std::move(name), result);
  row.target = fmt::format("< {}", limit);
  row.over = result.ratio >= limit;
  return row;
}

void print_load() {
  double load = 0;
  if (::getloadavg(&load, 1) != 1) return;
  fmt::print("load average {:.1f} on {} processors\n", load, std::thread::hardware_concurrency());
}

void Table::heading(const std::string& group, const std::string& baseline) {
  fmt::print("\n{}: baseline is {}\n", group, baseline);
  fmt::print(fmt::runtime(kLine), "", "slipway", "baseline", "ratio (min..max)", "target", "");
  std::fflush(stdout);
}

void Table::add(const Row& row) {
  fmt::print(fmt::runtime(kLine), row.name, text_of(row.subject, row.unit),
             row.baseline ? text_of(*row.baseline, row.unit) : "", row.ratio, row.target,
             row.target.empty() ? "info" : (row.over ? "over" : "ok"));
  std::fflush(stdout);
  over_ += row.over ? 1 : 0;
}

void Table::note(const std::string& text) {
  fmt::print("    {}\n", text);
  std::fflush(stdout);
}

}  // namespace slipway::bench
