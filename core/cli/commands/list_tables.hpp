// The tables of `list`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/app_selection.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

/// What a list says beyond a scheduler's own list. Each app costs a query.
struct AppDetails {
  std::string problem;  ///< why the others are not known; empty if they are
  TimeNs started_at;
  TimeNs finished_at;
  std::optional<int> exit;
  ResourceUse use;
  StrDict labels;
};

/// Returns the lines for people: the newest app first. Without `details` they have fewer columns;
/// otherwise `details` has an element for each app.
std::string app_table(const std::vector<ListedApp>& apps, const std::vector<AppDetails>& details);

/// Returns a table with a column for each label, and what the apps used.
std::string label_table(const std::vector<ListedApp>& apps, const std::vector<AppDetails>& details);

}  // namespace slipway::cli
