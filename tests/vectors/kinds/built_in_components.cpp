// Builds the app of a built-in component from its command line. Uses the plug-in that the host
// would load.

#include <algorithm>
#include <filesystem>

#include "core/components/arguments.hpp"
#include "core/spec/app_json.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {
namespace {

ComponentInfo find_component(const registry::PluginComponents& provider, const std::string& name) {
  std::vector<ComponentInfo> all = provider.list();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ComponentInfo& info) { return info.name == name; });
  if (found == all.end()) throw BenchError("no component " + name);
  return std::move(*found);
}

}  // namespace

json::value run_built_in_component(VectorCase& one, Bench& bench) {
  const std::string name = text_member(one.input, "component");
  const registry::PluginComponents provider = bench.components(name.substr(0, name.find('.')));
  Surroundings surroundings(std::filesystem::current_path().string());
  surroundings.unset("LOGLEVEL");
  if (const json::value* variables = one.input.if_contains("environ")) {
    for (const auto& entry : variables->as_object())
      surroundings.set(std::string(entry.key()), text_member(variables->as_object(), entry.key()));
  }
  components::ArgumentSources sources;
  sources.words = texts(member(one.input, "args"));
  if (const json::value* defaults = one.input.if_contains("defaults")) {
    for (const auto& entry : defaults->as_object())
      set(sources.defaults, entry.key(), Value(text_member(defaults->as_object(), entry.key())));
  }
  const Cfg args = components::parse_arguments(find_component(provider, name), sources).values;
  if (one.expected) {
    one.expected =
        replaced(*one.expected, {{"ghcr.io/pytorch/torchx:<VERSION>", builtins::kDefaultImage}});
  }
  return spec::to_json(provider.build(name, args));
}

}  // namespace slipway::vectors
