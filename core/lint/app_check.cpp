#include "core/lint/app_check.hpp"

#include "core/lint/app_rules.hpp"
#include "core/lint/role_rules.hpp"
#include "core/spec/validate.hpp"

namespace slipway::lint {
namespace {

void check_roles(const spec::AppFile& file, spec::FieldReader& report) {
  const spec::KeyPath root;
  const spec::KeyPath roles(root, std::string_view("roles"));
  for (std::size_t i = 0; i < file.app.roles.size(); ++i) {
    const spec::KeyPath path(roles, i);
    const RoleContext context{file.app.roles[i], file.marks[i], path, report};
    check_macros(context);
    check_entrypoint(context);
    check_environment(context);
    check_image(context);
    check_mounts(context);
    check_ports(context);
    check_replicas(context);
  }
}

}  // namespace

void check_app(spec::AppFile& file, const spec::ResourceResolver& resolver,
               const spec::ResourceNames& known_names, spec::ProblemList& problems) {
  spec::validate(file, problems);
  spec::resolve_resources(file, resolver, known_names, problems);
  spec::FieldReader report(file.source, problems);
  check_names(file, report);
  check_app_macros(file, report);
  check_roles(file, report);
}

}  // namespace slipway::lint
