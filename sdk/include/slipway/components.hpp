// The base class of component providers; see abi/component.h for the contracts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/abi/component.h"
#include "slipway/app.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"
#include "slipway/options.hpp"
#include "slipway/provider.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// One parameter of a component. Only the last one may be variadic; its type is kList then.
struct ComponentParam {
  std::string name;  ///< as on the command line: --name
  ValueType type = ValueType::kStr;
  std::string help;        ///< for people, or empty
  bool required = false;   ///< the user must give a value; then there is no default
  Value default_value;     ///< of `type`, or kNone if there is none
  std::string short_name;  ///< one character, or empty
  bool variadic = false;   ///< takes all remaining words of the command line
};

/// One component with its parameters, in the order of the command line.
struct ComponentInfo {
  std::string name;  ///< "utils.echo"
  std::string help;  ///< for people, or empty
  std::vector<ComponentParam> params;
};

/// Selects components; see slipway_component_query.
struct ComponentQuery {
  std::string file;  ///< absolute path, or empty
  std::string name;  ///< empty: all
};

/// One mistake in a source file.
struct ComponentProblem {
  std::uint32_t line = 0;    ///< from 1; 0: the whole file
  std::uint32_t column = 0;  ///< from 1, in bytes; 0: the whole line
  std::string message;       ///< what is wrong, without the place
  std::string hint;          ///< what the author can do, or empty
};

/// A provider of components. Calls on one object never overlap.
class Components : public Provider {
 public:
  using Provider::Provider;

  /// Returns all components, except those of source files.
  virtual std::vector<ComponentInfo> list(const Call& call) = 0;
  /// Returns the app of the component `name`. `args` contains a typed value for each parameter that
  /// was given or has a default. `call` is for services of the host, such as named_resource() in
  /// hosted_resources.hpp. Throws Error kNotFound for an unknown component and kInvalid for invalid
  /// values.
  virtual AppDef build(std::string_view name, const Cfg& args, const Call& call) = 0;

  // The following functions are for providers whose manifest has `component_files`. The defaults
  // throw Error kUnimplemented if they get a file.

  /// Returns the components that `query` selects, and possibly others of the file or provider.
  /// Throws Error kNotFound for an unknown file, and kInvalid for one that cannot be used.
  virtual std::vector<ComponentInfo> list_selected(const ComponentQuery& query, const Call& call) {
    refuse_file(query.file);
    return list(call);
  }
  /// Returns the app of the component `name` of `file`, as build() does.
  virtual AppDef build_from_file(std::string_view file, std::string_view name, const Cfg& args,
                                 const Call& call) {
    refuse_file(file);
    return build(name, args, call);
  }
  /// Returns the mistakes in the file of `query`, in the order of the file; only those that concern
  /// the component `query.name` if it is not empty. Throws Error kNotFound if the file or the
  /// component is unknown.
  virtual std::vector<ComponentProblem> check(const ComponentQuery& query, const Call&) {
    refuse_file(query.file);
    return {};
  }

 private:
  static void refuse_file(std::string_view file) {
    if (!file.empty())
      throw Error(Code::kUnimplemented, "this provider reads no components from files");
  }
};

}  // namespace sdk_1_0
}  // namespace slipway
