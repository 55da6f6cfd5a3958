// From an app file or component file to everything that is wrong with it.
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
  std::optional<spec::AppFile>
      app;  ///< the app, when the file is one and has no error: it can be run
};

/// Reads, validates, resolves and checks every rule. A file that cannot be read (its problem keeps the reader's code) or
/// is not well formed has that one problem. Images and entrypoints that are paths are looked up from the current
/// directory. Throws nothing but what the resolver throws beside Error. Thread safe if the resolver is.
///
/// A file with components has no app to show to a scheduler; `component`, unless empty, names the only one to look at.
FileReport lint_file(const std::string& path, const std::string& component,
                     const spec::ResourceResolver& resolver,
                     const spec::ResourceNames& known_names);
/// The same for an app as a JSON text; `source_name` names it in messages.
FileReport lint_app_json(std::string_view text, const std::string& source_name,
                         const spec::ResourceResolver& resolver,
                         const spec::ResourceNames& known_names);

/// Brings problems of one file into its order again, after some were added (portability.hpp).
void sort_by_place(std::vector<spec::Problem>& problems);

}  // namespace slipway::lint
