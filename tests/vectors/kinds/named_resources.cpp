// Looks up named resources in the plug-ins of the tree.

#include "core/spec/app_json.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_named_resources(VectorCase& one, Bench& bench) {
  const std::string op = text_member(one.input, "op");
  const std::string name = text_member(one.input, "name");
  if (op == "contains") return bench.resources().find(name).has_value();
  if (op == "get") return spec::to_json(bench.resources().get(name));
  throw BenchError("unknown op " + op);
}

}  // namespace slipway::vectors
