#include "core/cli/apps/sweep_labels.hpp"

#include <optional>
#include <vector>

#include "core/cli/apps/app_selection.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

/// Returns the labels of an app; empty if they are not known.
StrDict sweep_labels(Invocation& invocation, const ListedApp& app,
                     const std::set<std::string>& names) {
  try {
    StrDict labels = labels_of(invocation, app.handle);
    if (!labels.empty() || names.count(app.item.name) == 0) return labels;
    const std::optional<AppDef> definition = invocation.runner().describe(app.handle);
    if (definition) return definition->metadata;
  } catch (const Error& error) {
    if (error.code() == Code::kTemporary) throw;
    // A damaged record, or one of another version, is none of this sweep.
  }
  return {};
}

}  // namespace

std::map<std::size_t, AppHandle> apps_of_sweep(Invocation& invocation, const std::string& id,
                                               const std::string& scheduler,
                                               const std::set<std::string>& names) {
  AppSelectors of_scheduler;
  of_scheduler.scheduler = scheduler;
  std::vector<FailedQuery> failures;  // none, because the selectors name a scheduler
  std::map<std::size_t, AppHandle> out;
  for (const ListedApp& app : select_apps(invocation, of_scheduler, SelectedApps::kAny, failures)) {
    const StrDict labels = sweep_labels(invocation, app, names);
    const std::string* const sweep = find(labels, kSweepLabel);
    const std::string* const text = find(labels, kSweepIndexLabel);
    const auto index = plain_number<std::size_t>(text != nullptr ? *text : std::string());
    if (sweep != nullptr && *sweep == id && index) out.emplace(*index, app.handle);
  }
  return out;
}

}  // namespace slipway::cli
