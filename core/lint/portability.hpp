// What a scheduler says about an app, at the place in the file that it says it about.
#pragma once

#include <string>
#include <vector>

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::lint {

/// A problem for each finding of `scheduler`: a warning for what it ignores, an error for what it refuses. The place is
/// that of the field (`resource.gpu`: of gpu, else of resource), else of the role, else the start of the file.
void add_findings(const spec::AppFile& file, const std::string& scheduler,
                  const std::vector<Finding>& findings, std::vector<spec::Problem>& out);

/// The scheduler did not take the app: an error at the start of the file, or one for each problem that it names.
void add_refusal(const spec::AppFile& file, const std::string& scheduler, const Error& why,
                 std::vector<spec::Problem>& out);

}  // namespace slipway::lint
