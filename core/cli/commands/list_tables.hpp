// The tables of `list`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/app_selection.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

/// What a scheduler's own list does not say about an app. The details cost a query for each app.
struct AppDetails {
  std::string problem;  ///< why a query for the other fields failed, or empty
  TimeNs started_at;
  TimeNs finished_at;
  std::optional<int> exit;  ///< the exit status of the app
  ResourceUse use;          ///< queried only for label_table()
  StrDict labels;
};

/// Returns a table of the apps in their order. `details` has an element for each app, or is empty;
/// then the table has fewer columns.
std::string app_table(const std::vector<ListedApp>& apps, const std::vector<AppDetails>& details);

/// Returns a table with a column for each label, and columns for what the apps used. `details` has
/// an element for each app.
std::string label_table(const std::vector<ListedApp>& apps, const std::vector<AppDetails>& details);

}  // namespace slipway::cli
