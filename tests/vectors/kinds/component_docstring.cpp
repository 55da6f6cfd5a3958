// The description of a function and of its parameters in its docstring. TorchX also returns
// descriptions of parameters that the function does not have; they are not compared.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/python_component.hpp"

namespace slipway::vectors {

json::value run_component_docstring(VectorCase& one, Bench& bench) {
  const ComponentInfo info = PythonComponent(bench, text_member(one.input, "source"))
                                 .info(text_member(one.input, "function"));
  json::object params;
  for (const ComponentParam& param : info.params)
    params[param.name] = param.help.empty() ? " " : param.help;
  json::array out{json::string(info.help), params};
  if (!one.expected) return out;
  json::array& expected = one.expected->as_array();
  expected[0] = without_tip(std::string(std::string_view(expected[0].as_string())));
  json::object known;
  for (const auto& entry : expected[1].as_object()) {
    if (params.contains(entry.key())) known[entry.key()] = entry.value();
  }
  expected[1] = std::move(known);
  return out;
}

}  // namespace slipway::vectors
