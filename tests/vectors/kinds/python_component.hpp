// A component that a vector gives as Python source, in a file that the provider `python` reads.
#pragma once

#include <string>
#include <vector>

#include "core/registry/objects/plugin_components.hpp"
#include "tests/vectors/bench.hpp"

namespace slipway::vectors {

class PythonComponent {
 public:
  /// Writes `source` to comp.py in a directory of its own.
  PythonComponent(Bench& bench, const std::string& source);

  /// Returns the component as users see it. Throws Error kNotFound for an unknown one.
  ComponentInfo info(const std::string& name) const;
  /// Runs the component.
  AppDef build(const std::string& name, const Cfg& args) const;
  std::vector<ComponentProblem> check(const std::string& name) const;

 private:
  ScratchDirectory directory_;
  Surroundings surroundings_;
  registry::PluginComponents provider_;
  std::string path_;
};

/// Returns a help text of TorchX, or an empty one for its advice to write a docstring.
std::string without_tip(const std::string& help);

}  // namespace slipway::vectors
