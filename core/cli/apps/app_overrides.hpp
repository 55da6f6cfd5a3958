// The changes of one run to the app of its file: `run --set KEY=VALUE --env K=V --env-file F`.
#pragma once

#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

/// The changes of the command line to an app, in this order: files, variables, fields. A later
/// change overrides an earlier one.
struct AppOverrides {
  std::vector<std::string> env_files;
  std::vector<std::string> env;     ///< NAME=VALUE, for all roles
  std::vector<std::string> fields;  ///< KEY=VALUE; KEY is a path such as roles.w.num_replicas
};

/// Changes `app`. Throws Error kUsage for a malformed text and for a KEY that no app has, with the
/// keys that exist; kNotFound, kDenied or kInvalid for a file that cannot be read, kInvalid for a
/// malformed line of a file; InvalidApp with all problems of the changed app.
void apply_overrides(Invocation& invocation, const AppOverrides& overrides, AppDef& app);

}  // namespace slipway::cli
