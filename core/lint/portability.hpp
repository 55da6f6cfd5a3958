// Turns a scheduler's findings about an app into problems with a place in the file.
#pragma once

#include <string>
#include <vector>

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::lint {

/// Adds a problem for each finding of `scheduler`: a warning for a field that it ignores, an error
/// for one that it refuses. The place is that of the field (for `resource.gpu`: gpu, else
/// resource) or of the run option, else the role, else the start of the file.
void add_findings(const spec::AppFile& file, const std::string& scheduler,
                  const std::vector<Finding>& findings, std::vector<spec::Problem>& out);

/// Adds the scheduler's error `why`, or one error for each problem in it, at the start of the file.
void add_refusal(const spec::AppFile& file, const std::string& scheduler, const Error& why,
                 std::vector<spec::Problem>& out);

}  // namespace slipway::lint
