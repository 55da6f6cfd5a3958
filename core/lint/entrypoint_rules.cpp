#include <filesystem>
#include <string>
#include <system_error>

#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"

namespace slipway::lint {

void check_entrypoint(const RoleContext& context) {
  const std::string& program = context.role.entrypoint;
  const std::size_t space = program.find_first_of(" \t");
  if (space == std::string::npos || program == kMissing) return;
  std::error_code ignored;
  if (std::filesystem::exists(program, ignored)) return;
  context.warn(
      rule::kEntrypointIsALine, "entrypoint",
      "the entrypoint " + spec::quoted(program) + " is looked up as one program, spaces and all",
      "write entrypoint = " + spec::quoted(program.substr(0, space)) + " and the rest as args");
}

}  // namespace slipway::lint
