// op=random_id converts 64 bits to a suffix; op=make_unique adds that suffix to a name.

#include "slipway/ids.hpp"

#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_ids(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  const auto value = member(one.input, "value").to_number<std::uint64_t>();
  if (op == "random_id") return json::value(id_suffix(value));
  if (op == "make_unique")
    return json::value(make_unique_id(text_member(one.input, "name"), value));
  throw BenchError("unknown op " + op);
}

}  // namespace slipway::vectors
