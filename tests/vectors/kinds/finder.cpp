// op=file loads a component from a file, which runs the file in TorchX; Slipway runs it when it
// builds the app. op=builtins lists TorchX's built-in components.

#include <algorithm>

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/python_component.hpp"

namespace slipway::vectors {
namespace {

json::value load_file(VectorCase& one, Bench& bench) {
  const std::string name = text_member(one.input, "function");
  const PythonComponent component(bench, text_member(one.input, "source"));
  const ComponentInfo info = component.info(name);
  Cfg samples;
  for (const ComponentParam& param : info.params) samples.set(param.name, std::string("sample"));
  component.build(name, samples);
  if (one.expected) {
    json::object& expected = one.expected->as_object();
    expected.erase("name");  // the path of the file
    expected["description"] = without_tip(text_member(expected, "description"));
  }
  return json::object{
      {"fn_name", info.name}, {"description", info.help}, {"validation_errors", json::array()}};
}

json::value built_in_names(Bench& bench) {
  json::array out;
  for (const char* provider : {"dist", "metrics", "serve", "utils"}) {
    std::vector<std::string> names;
    for (const ComponentInfo& info : bench.components(provider).list()) names.push_back(info.name);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) out.push_back(json::string(name));
  }
  return out;
}

}  // namespace

json::value run_finder(VectorCase& one, Bench& bench) {
  const std::string op = text_member(one.input, "op");
  if (op == "file") return load_file(one, bench);
  if (op == "builtins") return built_in_names(bench);
  throw BenchError("unknown op " + op);
}

}  // namespace slipway::vectors
