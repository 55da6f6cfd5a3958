// The base class of component providers; see abi/component.h for the contracts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/abi/component.h"
#include "slipway/app.hpp"
#include "slipway/host.hpp"
#include "slipway/options.hpp"
#include "slipway/provider.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// One parameter of a component. Only the last one may be variadic; its type is kList then.
struct ComponentParam {
  std::string name;
  ValueType type = ValueType::kStr;
  std::string help;
  bool required = false;
  Value default_value;
  std::string short_name;  ///< one character, or empty
  bool variadic = false;
};

/// One component with its parameters, in the order of the command line.
struct ComponentInfo {
  std::string name;  ///< "utils.echo"
  std::string help;
  std::vector<ComponentParam> params;
};

/// A provider of components. Calls on one object never overlap.
class Components : public Provider {
 public:
  using Provider::Provider;

  /// Returns all components.
  virtual std::vector<ComponentInfo> list(const Call& call) = 0;
  /// Returns the app of the component `name`. `args` contains a typed value for each parameter that
  /// was given or has a default. `call` is for services of the host, such as named_resource() in
  /// hosted_resources.hpp. Throws Error kNotFound for an unknown component and kInvalid for invalid
  /// values.
  virtual AppDef build(std::string_view name, const Cfg& args, const Call& call) = 0;
};

}  // namespace sdk_1_0
}  // namespace slipway
