// Finds candidates for a word: apps, schedulers, resources, files and others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

/// A text that may replace the whole word at the cursor. If it ends in `=`, `/`, `:`, `,` or `.`,
/// the user continues the word, so the shell adds no space.
struct Candidate {
  std::string text;
  std::string help;  ///< a description, whose first line shells show; may be empty
};
using Candidates = std::vector<Candidate>;

/// The following four functions return candidates in any order, and skip plug-ins that do not
/// answer. scheduler_names() and plugin_names() load no plug-in. resource_candidates() loads those
/// whose manifest does not list all of their resources, component_names() all that have components.
Candidates scheduler_names(Invocation& invocation);
Candidates plugin_names(Invocation& invocation);
Candidates resource_candidates(Invocation& invocation);
Candidates component_names(Invocation& invocation);

/// The apps that a command acts on.
enum class AppsOf { kAll, kActive, kFinished };
enum class AppNames { kIds, kHandles };
/// Returns the ids of apps and `@last`, or the handles of apps. Leaves out apps of clusters, whose
/// answers would take too long.
Candidates app_names(Invocation& invocation, AppsOf which, AppNames names);

/// Completes `written`, the start of a value of `-c`. For `a=1,b`, returns `a=1,NAME=` for each run
/// option of the scheduler. After `NAME=` of a boolean option, returns true and false.
Candidates run_options(Invocation& invocation, const std::string& scheduler,
                       const std::string& written);

/// Returns `--NAME` for each parameter of the component in `call` except the variadic one, and
/// `--help`.
Candidates parameter_options(Invocation& invocation, const components::ComponentCall& call);
/// Returns `NAME=` for each parameter of the component.
Candidates parameter_settings(Invocation& invocation, const std::string& component);

/// Returns files whose path starts with `written` and ends in one of `endings`, or all if `endings`
/// is empty. Also returns directories, with `/` at the end. Leaves out hidden files
/// unless `written` has the dot.
Candidates file_names(const std::string& written, const std::vector<std::string_view>& endings);
/// Returns `FILE:NAME` for each component of a TOML or JSON file; empty if the file has none.
Candidates components_of_file(const std::string& file);
/// Returns `FILE:NAME` for each component of a source file that a plug-in reads.
Candidates components_of_source(Invocation& invocation, const std::string& file);

}  // namespace slipway::cli
