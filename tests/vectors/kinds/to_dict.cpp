// op=to_dict reads a dictionary from a text; op=to_list reads a list.

#include "core/spec/key_values.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_to_dict(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  const std::string text = text_member(one.input, "arg");
  if (op == "to_dict") {
    json::object out;
    for (const auto& [key, value] : spec::to_dict(text)) out.emplace(key, value);
    return out;
  }
  if (op != "to_list") throw BenchError("unknown op " + op);
  const StrList list = spec::to_list(text);
  return json::array(list.begin(), list.end());
}

}  // namespace slipway::vectors
