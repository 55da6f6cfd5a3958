#include <fmt/core.h>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/time_text.hpp"
#include "core/spec/resource_table.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

/// Throws Error kUsage for selectors that select everything, or apps that have not ended.
void check_selectors(const PruneCommand& command) {
  const AppSelectors& selectors = command.apps;
  if (command.larger.empty() && selectors.before.empty() && selectors.since.empty() &&
      selectors.names.empty() && selectors.state.empty() && selectors.labels.empty()) {
    throw Error(Code::kUsage, "no filter says which apps to delete",
                "give --before 30d, --name 'test-*', --state FAILED or --larger 1GiB");
  }
  if (!selectors.state.empty() && !is_terminal(parse_state("--state", selectors.state))) {
    throw Error(Code::kUsage, "--state " + selectors.state + ": an app in this state has not ended",
                "`slipway cancel` ends apps");
  }
}

/// Returns the MiB of a size. Throws Error kUsage.
std::int64_t mebibytes_of(const std::string& size) {
  try {
    return spec::parse_memory(size);
  } catch (const Error& error) {
    throw Error(Code::kUsage, "--larger " + size + ": " + error.message(), error.hint());
  }
}

/// Returns the bytes on the disk of the app's logs; 0 if they are not files of this machine.
std::int64_t log_bytes(Invocation& invocation, const AppHandle& handle) {
  constexpr std::string_view kFile = "file://";
  const auto status = invocation.runner().status(handle, StatusDetail::kMerged);
  if (!status || status->description.ui_url.rfind(kFile, 0) != 0) return 0;
  constexpr std::int64_t kBlock = 512;
  std::int64_t out = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(status->description.ui_url.substr(kFile.size()), error),
       end;
       !error && at != end; at.increment(error)) {
    struct stat found {};
    if (::lstat(at->path().c_str(), &found) == 0) out += found.st_blocks * kBlock;
  }
  return out;
}

/// Keeps the apps with larger logs. An app that its scheduler cannot describe is not selected.
void keep_larger(Invocation& invocation, std::int64_t mebibytes, std::vector<ListedApp>& apps) {
  constexpr std::int64_t kMebibyte = 1024 * 1024;
  std::erase_if(apps, [&](const ListedApp& app) {
    try {
      return log_bytes(invocation, app.handle) / kMebibyte < mebibytes;
    } catch (const Error& error) {
      say(LogLevel::kWarning, to_string(app.handle) + " is not measured: " + error.message());
      return true;
    }
  });
}

void print_table(const std::vector<ListedApp>& apps) {
  std::vector<std::vector<std::string>> rows{{"HANDLE", "STATE", "SUBMITTED", "NAME"}};
  for (const auto& [handle, item] : apps) {
    rows.push_back({to_string(handle), std::string(to_string(item.state)),
                    item.submitted_at ? logs::local_time_text(*item.submitted_at) : "-",
                    item.name});
  }
  write_output(text_table(rows));
}

}  // namespace

int prune(Invocation& invocation, const PruneCommand& command) {
  check_selectors(command);
  const std::optional<std::int64_t> larger =
      command.larger.empty() ? std::nullopt : std::optional(mebibytes_of(command.larger));
  std::vector<ListedApp> apps = select_apps(invocation, command.apps, SelectedApps::kFinished);
  if (larger) keep_larger(invocation, *larger, apps);
  json::array handles;
  json::array errors;
  if (!invocation.json() && !apps.empty()) print_table(apps);
  for (const auto& [handle, item] : apps) {
    try {
      if (command.yes) invocation.runner().delete_app(handle);
      handles.emplace_back(to_string(handle));
    } catch (const Error& error) {
      // Another command may have deleted the app since the list.
      if (error.code() == Code::kNotFound) continue;
      say(LogLevel::kError, to_string(handle) + " is not deleted: " + error.message());
      errors.push_back(json::object{{"handle", to_string(handle)}, {"message", error.message()}});
    }
  }
  const std::size_t count = handles.size();
  const char* const plural = count == 1 ? "" : "s";
  if (command.yes) {
    say(LogLevel::kInfo, fmt::format("{} app{} deleted", count, plural));
  } else {
    say(LogLevel::kWarning, fmt::format("{} app{} would be deleted, with records and logs{}", count,
                                        plural, count == 0 ? "" : "; --yes deletes them"));
  }
  if (invocation.json()) {
    write_json(json::object{{command.yes ? "deleted" : "would_delete", std::move(handles)},
                            {"errors", errors}});
  }
  return errors.empty() ? kExitOk : kExitTemporary;
}

}  // namespace slipway::cli
