#include "core/lint/lint.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/lint/app_rules.hpp"
#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"
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

/// The app that `read` reads; none when there is nothing to look at, and `out` says why.
template <class Read>
std::optional<spec::AppFile> read_with(Read read, const std::string& source,
                                       spec::ProblemList& problems, FileReport& out) {
  try {
    return read(problems);
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

template <class Read>
FileReport lint(Read read, const std::string& source, const spec::ResourceResolver& resolver,
                const spec::ResourceNames& known_names) {
  FileReport out;
  spec::ProblemList problems;
  std::optional<spec::AppFile> file = read_with(read, source, problems, out);
  if (!file) return out;
  spec::validate(*file, problems);
  spec::resolve_resources(*file, resolver, known_names, problems);
  spec::FieldReader report(file->source, problems);
  check_names(*file, report);
  check_app_macros(*file, report);
  check_roles(*file, report);
  out.problems = problems.in_order();
  out.omitted = problems.omitted();
  if (!problems.has_errors()) out.app = std::move(file);
  return out;
}

}  // namespace

FileReport lint_app_file(const std::string& path, const spec::ResourceResolver& resolver,
                         const spec::ResourceNames& known_names) {
  return lint([&](spec::ProblemList& problems) { return spec::read_app_file(path, problems); },
              path, resolver, known_names);
}

FileReport lint_app_json(std::string_view text, const std::string& source_name,
                         const spec::ResourceResolver& resolver,
                         const spec::ResourceNames& known_names) {
  return lint(
      [&](spec::ProblemList& problems) { return spec::read_app_json(text, source_name, problems); },
      source_name, resolver, known_names);
}

void sort_by_place(std::vector<spec::Problem>& problems) {
  std::stable_sort(
      problems.begin(), problems.end(), [](const spec::Problem& a, const spec::Problem& b) {
        return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
      });
}

}  // namespace slipway::lint
