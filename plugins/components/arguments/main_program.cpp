#include "plugins/components/arguments/main_program.hpp"

#include <string_view>

#include "slipway/error.hpp"

namespace slipway::builtins {

namespace {

// Returns Python's `Path(path).stem`. A leading or trailing dot does not start an extension.
std::string stem(std::string_view path) {
  while (true) {
    if (path.size() > 1 && path.back() == '/') {
      path.remove_suffix(1);
    } else if (path.size() > 2 && path.substr(path.size() - 2) == "/.") {
      path.remove_suffix(2);
    } else {
      break;
    }
  }
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  const bool has_extension = dot != std::string_view::npos && dot > 0 && dot + 1 < name.size();
  return std::string(has_extension ? name.substr(0, dot) : name);
}

}  // namespace

std::string role_name(const MainProgram& program) {
  if (program.script && !program.script->empty()) return stem(*program.script);
  if (program.module && !program.module->empty())
    return program.module->substr(program.module->rfind('.') + 1);
  throw Error(Code::kInvalid, "there is no program to name the role after",
              "give --script PATH or -m MODULE");
}

}  // namespace slipway::builtins
