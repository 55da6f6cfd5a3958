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

/// Reads, validates and resolves the file and checks every rule. A file that cannot be read or is
/// not well formed has only that problem, with the reader's code. Resolves images and entrypoints
/// that are paths from the current directory. Throws only what the resolver throws other than
/// Error. Thread safe if the resolver is.
///
/// A file with components has no app to show to a scheduler. If `component` is not empty, checks
/// only that component.
FileReport lint_file(const std::string& path, const std::string& component,
                     const spec::ResourceResolver& resolver,
                     const spec::ResourceNames& known_names);
/// Does the same for an app as a JSON text; `source_name` names it in messages.
FileReport lint_app_json(std::string_view text, const std::string& source_name,
                         const spec::ResourceResolver& resolver,
                         const spec::ResourceNames& known_names);

/// Sorts the problems of one file by place; needed after portability.hpp added some.
void sort_by_place(std::vector<spec::Problem>& problems);

}  // namespace slipway::lint
