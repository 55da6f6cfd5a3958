// The names that a word of the command line may become.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/components/component_call.hpp"

namespace slipway::cli {

/// A whole word, and a text about it, perhaps none or several lines: the first is for people. More
/// of the same word follows behind `=`, `/`, `:`, `,` and `.` at its end.
struct Candidate {
  std::string text;
  std::string help;
};
using Candidates = std::vector<Candidate>;

/// Names of their own, in no particular order. What cannot be asked is passed over; only manifests
/// are read where they say enough, and schedulers that are not of this machine are not asked for
/// their apps.
Candidates scheduler_names(Invocation& invocation);
Candidates plugin_names(Invocation& invocation);
Candidates resource_candidates(Invocation& invocation);
Candidates component_names(Invocation& invocation);

/// Which apps a command is for.
enum class AppsOf { kAll, kActive, kFinished };
/// Their ids and `@last`, or with `whole` their handles.
Candidates app_names(Invocation& invocation, AppsOf which, bool whole);

/// `NAME=` for each run option that the scheduler declares, in the place of the last one of
/// `written`: `a=1,NAME=`. For `NAME=` of a switch true and false.
Candidates run_options(Invocation& invocation, const std::string& scheduler,
                       const std::string& written);

/// `--NAME` for each parameter of the component that is being called.
Candidates parameter_options(Invocation& invocation, const components::ComponentCall& call);
/// `NAME=` for each parameter of the component that `app` means.
Candidates parameters(Invocation& invocation, const std::string& app);

/// Files whose path starts with `written` and which end in one of `endings` (of none: all), and
/// directories with `/`.
Candidates file_names(const std::string& written, const std::vector<std::string_view>& endings);
/// `FILE:NAME` for the components of a file.
Candidates components_of_file(const std::string& file);

}  // namespace slipway::cli
