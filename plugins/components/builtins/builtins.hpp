// The provider of the built-in components.
#pragma once

#include <string_view>
#include <vector>

#include "plugins/components/builtins/builtin.hpp"
#include "slipway/components.hpp"

namespace slipway::builtins {

/// Serves the components whose names start with the provider's name: `utils` serves `utils.…`.
/// Keeps no state between calls. build() throws Error(kNotFound) for any other name.
class Builtins : public Components {
 public:
  Builtins(Host host, CreateArgs args);

  std::vector<ComponentInfo> list(const Call& call) override;
  AppDef build(std::string_view name, const Cfg& args, const Call& call) override;

 private:
  std::vector<Builtin> components_;
};

}  // namespace slipway::builtins
