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

class Components {
 public:
  Components(Host host, CreateArgs args) : host_(host), args_(std::move(args)) {}
  virtual ~Components() = default;
  Components(const Components&) = delete;
  Components& operator=(const Components&) = delete;

  virtual std::vector<ComponentInfo> list() = 0;
  /// `args` holds a value for every parameter that has one. Throws kNotFound for an unknown component.
  virtual AppDef build(std::string_view name, const Cfg& args) = 0;

 protected:
  const Host& host() const { return host_; }
  const CreateArgs& args() const { return args_; }

 private:
  Host host_;
  CreateArgs args_;
};

}  // namespace slipway
