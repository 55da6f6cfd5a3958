// Finds all problems of an app file or component file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::lint {

struct FileReport {
  std::vector<spec::Problem> problems;  ///< in the order of the file
  std::size_t omitted = 0;              ///< problems beyond ProblemList::kMaxProblems
  std::optional<spec::AppFile> app;     ///< the app, if the file is an app file without errors
};

/// Reads the file, resolves its named resources, and applies every rule. If the file cannot be read
/// or is not well formed, reports only the reader's problems; Problem::code is the code of the
/// reader's error. Images and entrypoints that are relative paths start at the current directory.
/// Throws only exceptions of the resolver that are not of the type Error. Thread safe if the
/// resolver is.
///
/// In a component file, checks the apps that the components make from sample values, and leaves
/// FileReport::app empty. If `component` is not empty, reports only problems of that component and
/// those outside of all components; or only that the file, possibly an app file, has no such
/// component.
FileReport lint_file(const std::string& path, const std::string& component,
                     const spec::ResourceResolver& resolver,
                     const spec::ResourceNames& known_names);
/// Does the same for an app as a JSON text; `source_name` names it in messages.
FileReport lint_app_json(std::string_view text, const std::string& source_name,
                         const spec::ResourceResolver& resolver,
                         const spec::ResourceNames& known_names);

/// Sorts the problems of one file by place; needed after add_findings() or add_refusal().
void sort_by_place(std::vector<spec::Problem>& problems);

}  // namespace slipway::lint
