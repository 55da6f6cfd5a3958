// Applies macros to a text.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/macro_values.hpp"

namespace slipway::vectors {

MacroValues macro_values(const VectorCase& one) {
  const json::value& given = member(one.input, "values");
  if (!given.is_object()) throw BenchError("`values` is not an object");
  MacroValues values;
  const auto read = [&](std::string_view key, std::string& to) {
    if (given.get_object().contains(key)) to = text_member(given.get_object(), key);
  };
  read("img_root", values.img_root);
  read("app_id", values.app_id);
  read("replica_id", values.replica_id);
  read("rank0_env", values.rank0_env);
  read("base_img_root", values.base_img_root);
  return values;
}

json::value run_macros_substitute(VectorCase& one, Bench&) {
  return json::value(substitute_macros(text_member(one.input, "template"), macro_values(one)));
}

}  // namespace slipway::vectors
