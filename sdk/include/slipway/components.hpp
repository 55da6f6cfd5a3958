// What a components plug-in implements in C++; contracts in abi/component.h.
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

/// One parameter of a component. At most one, the last, is variadic; its type is kList.
struct ComponentParam {
  std::string name;
  ValueType type = ValueType::kStr;
  std::string help;
  bool required = false;
  Value default_value;
  std::string short_name;  ///< one character, or empty
  bool variadic = false;
};

struct ComponentInfo {
  std::string name;  ///< "utils.echo"
  std::string help;
  std::vector<ComponentParam> params;
};

class Components : public Provider {
 public:
  using Provider::Provider;

  virtual std::vector<ComponentInfo> list() = 0;
  /// `args` holds a value for every parameter that has one. `call` is for the services of the host:
  /// named_resource() in hosted_resources.hpp. Throws kNotFound for an unknown component, kInvalid
  /// for values that it cannot take.
  virtual AppDef build(std::string_view name, const Cfg& args, const Call& call) = 0;
};

}  // namespace slipway
