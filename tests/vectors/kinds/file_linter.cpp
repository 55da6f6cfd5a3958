// The mistakes in a component's signature. Compares their number, order and lines, and the column
// of syntax errors; TorchX names no other column. The messages are Slipway's own.

#include "slipway/error.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/python_component.hpp"

namespace slipway::vectors {
namespace {

json::object place(std::uint64_t line, std::uint64_t column) {
  return {{"line", line}, {"char", column}};
}

json::array places(const std::vector<ComponentProblem>& problems, const json::array& expected) {
  json::array out;
  for (const ComponentProblem& problem : problems) {
    const bool has_column = out.size() < expected.size() &&
                            expected[out.size()].at("char").to_number<std::uint64_t>() > 0;
    out.push_back(place(problem.line, has_column ? problem.column : 0));
  }
  return out;
}

std::vector<ComponentProblem> problems_of(const VectorCase& one, Bench& bench) {
  try {
    return PythonComponent(bench, text_member(one.input, "source"))
        .check(text_member(one.input, "function"));
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return {{0, 0, error.message(), {}}};  // TorchX lists an unknown function as a mistake
  }
}

}  // namespace

json::value run_file_linter(VectorCase& one, Bench& bench) {
  const json::array theirs = one.expected ? one.expected->as_array() : json::array();
  json::value got = places(problems_of(one, bench), theirs);
  json::array expected;
  for (const json::value& problem : theirs) {
    expected.push_back(place(problem.at("line").to_number<std::uint64_t>(),
                             problem.at("char").to_number<std::uint64_t>()));
  }
  if (one.expected) one.expected = std::move(expected);
  return got;
}

}  // namespace slipway::vectors
