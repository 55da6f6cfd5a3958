#include "core/cli/commands/list_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/cli/apps/sweep_labels.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/logs/time_text.hpp"
#include "core/status/resource_use.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::cli {
namespace {

std::string duration_text(const AppDetails& details) {
  const bool has_unknown_end = details.exit && !details.finished_at;
  if (!details.started_at || has_unknown_end) return "-";
  const std::int64_t end = details.finished_at.value_or(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  return seconds_text(end - *details.started_at);
}

std::string labels_text(const StrDict& labels) {
  if (labels.empty()) return "-";
  return joined(labels, " ", [](const auto& label) { return label.first + "=" + label.second; });
}

std::vector<std::string> row_of(const ListedApp& app, const AppDetails* details) {
  const ListItem& item = app.item;
  std::vector<std::string> row{to_string(app.handle), std::string(to_string(item.state)),
                               item.submitted_at ? logs::local_time_text(*item.submitted_at) : "-"};
  if (details != nullptr) {
    row.push_back(duration_text(*details));
    row.push_back(details->exit ? std::to_string(*details->exit) : "-");
  }
  row.push_back(item.name);
  if (details != nullptr) row.push_back(labels_text(details->labels));
  return row;
}

/// Returns the keys of the apps' labels in the order in which they first appear, without the two
/// keys that a sweep sets.
StrList label_keys(const std::vector<AppDetails>& details) {
  StrList out;
  for (const AppDetails& app : details) {
    for (const auto& [key, value] : app.labels) {
      const bool is_of_sweep = key == kSweepLabel || key == kSweepIndexLabel;
      if (!is_of_sweep && std::find(out.begin(), out.end(), key) == out.end()) out.push_back(key);
    }
  }
  return out;
}

}  // namespace

std::string app_table(const std::vector<ListedApp>& apps, const std::vector<AppDetails>& details) {
  std::vector<std::vector<std::string>> rows;
  if (details.empty()) {
    rows.push_back({"HANDLE", "STATE", "SUBMITTED", "NAME"});
  } else {
    rows.push_back({"HANDLE", "STATE", "SUBMITTED", "DURATION", "EXIT", "NAME", "LABELS"});
  }
  for (std::size_t i = 0; i < apps.size(); ++i)
    rows.push_back(row_of(apps[i], details.empty() ? nullptr : &details[i]));
  return text_table(std::move(rows));
}

std::string label_table(const std::vector<ListedApp>& apps,
                        const std::vector<AppDetails>& details) {
  const StrList keys = label_keys(details);
  std::vector<std::string> titles{"HANDLE", "STATE", "DURATION", "EXIT", "CPU", "MEMORY"};
  for (const std::string& key : keys) titles.push_back(key);
  std::vector<std::vector<std::string>> rows{std::move(titles)};
  for (std::size_t i = 0; i < apps.size(); ++i) {
    const AppDetails& app = details[i];
    std::vector<std::string>& row = rows.emplace_back();
    row = {to_string(apps[i].handle),
           std::string(to_string(apps[i].item.state)),
           duration_text(app),
           app.exit ? std::to_string(*app.exit) : "-",
           app.use.cpu_time_ns > 0 ? seconds_text(app.use.cpu_time_ns) : "-",
           app.use.max_rss_bytes > 0 ? size_text(app.use.max_rss_bytes) : "-"};
    for (const std::string& key : keys) {
      const std::string* const value = find(app.labels, key);
      row.push_back(value != nullptr ? *value : "-");
    }
  }
  return text_table(std::move(rows));
}

}  // namespace slipway::cli
