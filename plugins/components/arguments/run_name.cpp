#include "plugins/components/arguments/run_name.hpp"

#include "slipway/error.hpp"

namespace slipway::builtins {

RunName parse_run_name(const std::string& text, const MainProgram& program) {
  const bool has_script = program.script && !program.script->empty();
  const bool has_module = program.module && !program.module->empty();
  if (has_script == has_module) {
    throw Error(Code::kInvalid,
                has_script ? "both a script and a module are given" : "there is no program to run",
                "give either --script PATH or -m MODULE");
  }
  RunName out;
  const std::size_t slash = text.find('/');
  out.run = slash == std::string::npos ? text : text.substr(slash + 1);
  if (slash != std::string::npos) out.experiment = text.substr(0, slash);
  if (out.experiment.empty()) out.experiment = "default-experiment";
  if (out.run.empty()) out.run = role_name(program);
  return out;
}

}  // namespace slipway::builtins
