#include "core/lint/lint.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/components/component_file.hpp"
#include "core/components/template_expansion.hpp"
#include "core/lint/app_rules.hpp"
#include "core/lint/component_rules.hpp"
#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"
#include "core/spec/document.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/rule_names.hpp"
#include "core/spec/validate.hpp"

namespace slipway::lint {
namespace {

// Returns the document that `read` returns. If `read` throws, stores the problem in `out` and
// returns nullopt.
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

// Applies all rules to `file`, including those of core/spec, and resolves its named resources.
void check_app(spec::AppFile& file, const spec::ResourceResolver& resolver,
               const spec::ResourceNames& known_names, spec::ProblemList& problems) {
  spec::validate(file, problems);
  spec::resolve_resources(file, resolver, known_names, problems);
  spec::FieldReader report(file.source, problems);
  check_names(file, report);
  check_app_macros(file, report);
  check_roles(file, report);
}

// Returns the parameter's default, or a sample value of its type.
Value sample_of(const ComponentParam& param) {
  if (type_of(param.default_value) != ValueType::kNone) return param.default_value;
  switch (param.type) {
    case ValueType::kInt: return std::int64_t{1};
    case ValueType::kFloat: return 1.0;
    case ValueType::kBool: return true;
    case ValueType::kList: return StrList{};
    case ValueType::kDict: return StrDict{};
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return std::string("sample");
}

// Returns whether the problem may disappear with other arguments.
bool is_about_a_sample(const spec::Problem& problem,
                       const std::vector<components::ParamUse>& uses) {
  // A number can be out of range because of another key: min_replicas = 5 if a parameter gives
  // num_replicas.
  if (problem.rule == spec::rule::kOutOfRange) return !uses.empty();
  return std::any_of(uses.begin(), uses.end(), [&](const components::ParamUse& use) {
    return use.at.line == problem.where.line && use.at.column == problem.where.column;
  });
}

// Adds the problems of the app template of `component`, expanded with its defaults and with sample
// values for parameters without one. Drops problems about a string that contains a parameter,
// because they concern the sample, and about numbers that may be right for other arguments. Skips a
// component without an app, which was already reported.
void check_template(const components::FileComponent& component, const std::string& source,
                    const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
                    spec::ProblemList& problems) {
  if (component.app.type != spec::NodeType::kTable) return;
  Cfg samples;
  for (const ComponentParam& param : component.info.params)
    samples.set(param.name, sample_of(param));
  const spec::KeyPath root;
  const spec::KeyPath all(root, std::string_view("component"));
  const std::string app = spec::KeyPath(all, std::string_view(component.info.name)).text() + ".app";
  spec::ProblemList found;
  std::optional<spec::AppFile> file;
  try {
    spec::Node expanded =
        components::expand_template(component.app, component.info.params, samples);
    // All keys come from a dict without a default, whose sample is empty.
    if (expanded.entries.empty()) return;
    file = spec::read_app_document(std::move(expanded), source, found);
  } catch (const Error& too_large) {  // expand_template() limits the text of the app
    problems.add({spec::Severity::kError,
                  {source, component.app.at.line, component.app.at.column},
                  app,
                  too_large.message(),
                  too_large.hint(),
                  too_large.code()});
    return;
  }
  check_app(*file, resolver, known_names, found);
  for (spec::Problem& problem : found.in_order()) {
    if (is_about_a_sample(problem, component.uses)) continue;
    problem.key = problem.key.empty() ? app : app + '.' + problem.key;
    problems.add(std::move(problem));
  }
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
  check_app(*file, resolver, known_names, problems);
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
  if (!problems.has_errors()) out.app = std::move(file);
}

void lint_components(spec::Node document, const std::string& source, const std::string& name,
                     const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
                     FileReport& out) {
  spec::ProblemList problems(name.empty() ? spec::ProblemList::Filter()
                                          : [&](const spec::Problem& problem) {
                                              return components::may_concern(name, problem.key);
                                            });
  const components::ComponentFile file =
      components::read_component_file(std::move(document), source, problems);
  spec::FieldReader report(file.source, problems);
  std::vector<std::string> names;
  for (const components::FileComponent& component : file.components) {
    const std::string& own_name = component.info.name;
    const bool can_be_expanded = !problems.has_error_where(
        [&](const std::string& key) { return components::may_concern(own_name, key); });
    check_component(component, report);
    if (can_be_expanded) check_template(component, source, resolver, known_names, problems);
    names.push_back(component.info.name);
  }
  // A file without any component has its own error.
  if (!name.empty() && !names.empty() && file.find(name) == nullptr) {
    out.problems = {unknown_component(source, names, name)};
    return;
  }
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
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
    lint_components(std::move(*document), path, component, resolver, known_names, out);
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
