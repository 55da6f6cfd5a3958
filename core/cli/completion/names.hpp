// Candidates for single words: names of apps, schedulers, resources, files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

/// A whole word, and a description of none, one or several lines, of which shells show the first.
/// A word that ends in `=`, `/`, `:`, `,` or `.` is incomplete.
struct Candidate {
  std::string text;
  std::string help;
};
using Candidates = std::vector<Candidate>;

/// Each function returns names in no particular order, and skips plug-ins that do not answer. Loads
/// a plug-in only if the manifests do not suffice.
Candidates scheduler_names(Invocation& invocation);
Candidates plugin_names(Invocation& invocation);
Candidates resource_candidates(Invocation& invocation);
Candidates component_names(Invocation& invocation);

/// The apps that a command acts on.
enum class AppsOf { kAll, kActive, kFinished };
/// Returns the ids of apps and `@last`, or with `as_handles` their handles.
Candidates app_names(Invocation& invocation, AppsOf which, bool as_handles);

/// Returns `NAME=` for each run option of the scheduler, in place of the last one in `written`:
/// `a=1,NAME=`. Returns true and false for `NAME=` of a switch.
Candidates run_options(Invocation& invocation, const std::string& scheduler,
                       const std::string& written);

/// Returns `--NAME` for each parameter of the component in `call`.
Candidates parameter_options(Invocation& invocation, const components::ComponentCall& call);
/// Returns `NAME=` for each parameter of the component `app`.
Candidates parameters(Invocation& invocation, const std::string& app);

/// Returns files whose path starts with `written` and ends in one of `endings`, or all if `endings`
/// is empty. Also returns directories, with `/` at the end.
Candidates file_names(const std::string& written, const std::vector<std::string_view>& endings);
/// Returns `FILE:NAME` for each component of a file.
Candidates components_of_file(const std::string& file);

}  // namespace slipway::cli
