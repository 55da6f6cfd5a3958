#include "core/lint/lint.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/components/component_file.hpp"
#include "core/lint/app_rules.hpp"
#include "core/lint/component_rules.hpp"
#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"
#include "core/spec/document.hpp"
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

/// What `read` reads; none when there is nothing to look at, and `out` says why.
template <class Read>
std::optional<spec::Node> read_with(Read read, const std::string& source, FileReport& out) {
  try {
    return read();
  } catch (const spec::InvalidApp& not_well_formed) {
    out.problems = not_well_formed.problems();
  } catch (const Error& unreadable) {
    out.problems = {{spec::Severity::kError,
                     {source},
                     {},
                     unreadable.message(),
                     unreadable.hint(),
                     unreadable.code(),
                     rule::kUnreadableFile}};
  }
  return std::nullopt;
}

void lint_app(spec::Node document, const std::string& source,
              const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
              FileReport& out) {
  spec::ProblemList problems;
  std::optional<spec::AppFile> file;
  try {
    file = spec::read_app_document(std::move(document), source, problems);
  } catch (const spec::InvalidApp& no_app) {
    out.problems = no_app.problems();
    return;
  }
  spec::validate(*file, problems);
  spec::resolve_resources(*file, resolver, known_names, problems);
  spec::FieldReader report(file->source, problems);
  check_names(*file, report);
  check_app_macros(*file, report);
  check_roles(*file, report);
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
  if (!problems.has_errors()) out.app = std::move(file);
}

void lint_components(spec::Node document, const std::string& source, const std::string& name,
                     FileReport& out) {
  spec::ProblemList problems;
  const components::ComponentFile file =
      components::read_component_file(std::move(document), source, problems);
  spec::FieldReader report(file.source, problems);
  std::vector<std::string> names;
  for (const components::FileComponent& component : file.components) {
    check_component(component, report);
    names.push_back(component.info.name);
  }
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
  if (name.empty()) return;
  out.problems = file.find(name) != nullptr ? of_component(std::move(out.problems), name)
                                            : std::vector{unknown_component(source, names, name)};
}

}  // namespace

FileReport lint_file(const std::string& path, const std::string& component,
                     const spec::ResourceResolver& resolver,
                     const spec::ResourceNames& known_names) {
  FileReport out;
  std::optional<spec::Node> document =
      read_with([&] { return spec::read_document(path); }, path, out);
  if (!document) return out;
  if (components::holds_components(*document)) {
    lint_components(std::move(*document), path, component, out);
  } else if (!component.empty()) {
    out.problems = {unknown_component(path, {}, component)};
  } else {
    lint_app(std::move(*document), path, resolver, known_names, out);
  }
  return out;
}

FileReport lint_app_json(std::string_view text, const std::string& source_name,
                         const spec::ResourceResolver& resolver,
                         const spec::ResourceNames& known_names) {
  FileReport out;
  std::optional<spec::Node> document =
      read_with([&] { return spec::parse_json(text, source_name); }, source_name, out);
  if (document) lint_app(std::move(*document), source_name, resolver, known_names, out);
  return out;
}

void sort_by_place(std::vector<spec::Problem>& problems) {
  std::stable_sort(
      problems.begin(), problems.end(), [](const spec::Problem& a, const spec::Problem& b) {
        return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
      });
}

}  // namespace slipway::lint
