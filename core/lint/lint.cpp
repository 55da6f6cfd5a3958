#include "core/lint/lint.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/components/component_file.hpp"
#include "core/lint/app_check.hpp"
#include "core/lint/component_rules.hpp"
#include "core/lint/rules.hpp"
#include "core/lint/template_check.hpp"
#include "core/spec/document.hpp"

namespace slipway::lint {
namespace {

// Returns what `read` reads, or nullopt after adding the reason to `out`.
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
  check_app(*file, resolver, known_names, problems);
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
  if (!problems.has_errors()) out.app = std::move(file);
}

void lint_components(spec::Node document, const std::string& source, const std::string& name,
                     const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
                     FileReport& out) {
  spec::ProblemList problems;
  const components::ComponentFile file =
      components::read_component_file(std::move(document), source, problems);
  spec::FieldReader report(file.source, problems);
  std::vector<std::string> names;
  const bool can_be_expanded = !problems.has_errors();
  for (const components::FileComponent& component : file.components) {
    check_component(component, report);
    if (can_be_expanded) check_template(component, source, resolver, known_names, problems);
    names.push_back(component.info.name);
  }
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
  if (name.empty()) return;
  out.problems = file.find(name) != nullptr ? problems_of_component(std::move(out.problems), name)
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
