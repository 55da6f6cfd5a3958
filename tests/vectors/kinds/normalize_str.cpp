// Converts names for other engines. op=normalize: Kubernetes; op=cleanup: LSF.

#include "slipway/names.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_normalize_str(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  const std::string text = text_member(one.input, "s");
  if (op == "normalize") return json::value(normalize_str(text));
  if (op == "cleanup") return json::value(cleanup_str(text));
  throw BenchError("unknown op " + op);
}

}  // namespace slipway::vectors
