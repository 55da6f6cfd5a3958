// Runs a component of a Python file with the arguments of a case, through the plug-in that reads
// such components, and returns its app.

#include "core/components/arguments.hpp"
#include "core/spec/app_json.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/python_component.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {

json::value run_component_files(VectorCase& one, Bench& bench) {
  const std::string function = text_member(one.input, "function");
  const PythonComponent component(bench, text_member(one.input, "source"));
  components::ArgumentSources sources;
  sources.words = texts(member(one.input, "args"));
  const Cfg args = components::parse_arguments(component.info(function), sources).values;
  if (one.expected) {
    one.expected =
        replaced(*one.expected, {{"ghcr.io/pytorch/torchx:<VERSION>", builtins::kDefaultImage}});
  }
  return spec::to_json(component.build(function, args));
}

}  // namespace slipway::vectors
