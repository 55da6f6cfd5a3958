#include "tests/vectors/kinds/python_component.hpp"

#include <fstream>
#include <utility>

#include "slipway/error.hpp"

namespace slipway::vectors {
namespace {

// One cache for all cases, so that Python compiles the plug-in's own files once.
const std::string& cache_directory() {
  static const ScratchDirectory directory;
  return directory.path();
}

registry::PluginComponents provider_with_cache(Bench& bench, Surroundings& surroundings) {
  surroundings.set("XDG_CACHE_HOME", cache_directory());
  return bench.components("python");
}

}  // namespace

PythonComponent::PythonComponent(Bench& bench, const std::string& source)
    : surroundings_(directory_.path()),
      provider_(provider_with_cache(bench, surroundings_)),
      path_(directory_.path() + "/comp.py") {
  std::ofstream(path_, std::ios::binary) << source;
}

ComponentInfo PythonComponent::info(const std::string& name) const {
  for (ComponentInfo& info : provider_.list({path_, name})) {
    if (info.name == name) return std::move(info);
  }
  throw Error(Code::kNotFound, "there is no component " + name);
}

AppDef PythonComponent::build(const std::string& name, const Cfg& args) const {
  return provider_.build(name, args, path_);
}

std::vector<ComponentProblem> PythonComponent::check(const std::string& name) const {
  return provider_.check({path_, name});
}

std::string without_tip(const std::string& help) {
  return help.find("TIP: improve") != std::string::npos ? std::string() : help;
}

}  // namespace slipway::vectors
