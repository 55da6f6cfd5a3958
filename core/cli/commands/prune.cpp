#include <fmt/core.h>

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/commands/cached_images.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/logs/time_text.hpp"
#include "core/spec/resource_table.hpp"
#include "core/status/resource_use.hpp"
#include "sdk/support/percent_text.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

constexpr std::int64_t kMebibyte = 1024 * 1024;

/// An image with its disk space.
struct MeasuredImage {
  CachedImage cached;
  std::int64_t bytes = 0;
};

/// Throws Error kUsage if the command line and the configuration have neither `--images` nor a
/// selector besides `-s` and `--session`, or if `--state` is a state of apps that have not ended.
void check_selectors(const PruneCommand& command) {
  const AppSelectors& selectors = command.apps;
  if (command.larger.empty() && selectors.before.empty() && selectors.since.empty() &&
      selectors.names.empty() && selectors.state.empty() && selectors.labels.empty() &&
      !command.images) {
    throw Error(
        Code::kUsage, "no selector says which apps to delete",
        "give --before 30d, --name 'test-*', --state FAILED or --larger 1GiB; --images alone "
        "means every cached image that no app uses");
  }
  if (!command.images && !selectors.state.empty() &&
      !is_terminal(parse_state("--state", selectors.state))) {
    throw Error(Code::kUsage, "--state " + selectors.state + ": an app in this state has not ended",
                "`slipway cancel` ends apps");
  }
}

/// Returns whether the option of `prune` is on the command line.
bool is_given(const Invocation& invocation, const char* option) {
  const config::Setting* setting =
      invocation.config().find({config::Section::kCli, "prune", option});
  return setting != nullptr && setting->layer == config::Layer::kFlag;
}

/// Returns whether the command also selects images, which have only an age and a size. With
/// --images, ignores the other selectors of configuration files, and throws Error kUsage for those
/// of the command line.
bool selects_images(Invocation& invocation, const PruneCommand& command) {
  const bool has_session = AppFilter(invocation, {}).has_session();
  if (!command.images) {
    const AppSelectors& selectors = command.apps;
    return !has_session && selectors.scheduler.empty() && selectors.names.empty() &&
           selectors.labels.empty() && selectors.state.empty() && selectors.since.empty();
  }
  bool is_for_apps = has_session;
  for (const char* option : {"scheduler", "name", "label", "state", "since"})
    is_for_apps = is_for_apps || is_given(invocation, option);
  if (is_for_apps)
    throw Error(Code::kUsage, "--images selects by --before and --larger alone",
                "leave the other selectors out, or leave --images out to prune apps");
  return true;
}

/// Returns a size in MiB. Throws Error kUsage for other texts.
std::int64_t mebibytes_of(const std::string& size) {
  try {
    return spec::parse_memory(size);
  } catch (const Error& error) {
    throw Error(Code::kUsage, "--larger " + size + ": " + error.message(), error.hint());
  }
}

/// Returns the disk space of the app's logs, in bytes; 0 if they are not files of this machine.
std::int64_t log_bytes(Invocation& invocation, const AppHandle& handle) {
  constexpr std::string_view kLocalFile = "file://";
  const auto status = invocation.runner().status(handle, StatusDetail::kMerged);
  if (!status || !status->description.ui_url.starts_with(kLocalFile)) return 0;
  std::string directory;
  try {
    directory = percent_decoded(status->description.ui_url.substr(kLocalFile.size()));
  } catch (const Error&) {
    return 0;  // the plug-in's URL names no file
  }
  return disk_bytes(directory);
}

/// Removes the apps from the list whose logs take less than `mebibytes`. Also removes each app that
/// its scheduler cannot describe, with a warning.
void keep_larger(Invocation& invocation, std::int64_t mebibytes, std::vector<ListedApp>& apps) {
  std::erase_if(apps, [&](const ListedApp& app) {
    try {
      return log_bytes(invocation, app.handle) / kMebibyte < mebibytes;
    } catch (const Error& error) {
      if (is_end_of_time_limit(error.code())) throw;
      say(LogLevel::kWarning, to_string(app.handle) + " is not measured: " + error.message());
      return true;
    }
  });
}

/// Returns the unused images that were last used before `before` and take at least `mebibytes`.
std::vector<MeasuredImage> select_images(Invocation& invocation, TimeNs before,
                                         std::optional<std::int64_t> mebibytes) {
  std::vector<MeasuredImage> out;
  for (CachedImage& cached : unused_images(invocation)) {
    const TimeNs used_at = cached.image.last_used_at;
    if (before && (!used_at || *used_at >= *before)) continue;
    const std::int64_t bytes = disk_bytes(cached.image.root);
    if (mebibytes && bytes / kMebibyte < *mebibytes) continue;
    out.push_back({std::move(cached), bytes});
  }
  return out;
}

std::string time_cell(TimeNs time) { return time ? logs::local_time_text(*time) : "-"; }

void print_apps(const std::vector<ListedApp>& apps) {
  std::vector<std::vector<std::string>> rows{{"HANDLE", "STATE", "SUBMITTED", "NAME"}};
  for (const auto& [handle, item] : apps) {
    rows.push_back({to_string(handle), std::string(to_string(item.state)),
                    time_cell(item.submitted_at), item.name});
  }
  write_output(text_table(rows));
}

void print_images(const std::vector<MeasuredImage>& images) {
  std::vector<std::vector<std::string>> rows{{"IMAGES OF", "SIZE", "LAST USED", "DIRECTORY"}};
  for (const auto& [cached, bytes] : images) {
    rows.push_back({cached.provider, size_text(bytes), time_cell(cached.image.last_used_at),
                    cached.image.root});
  }
  write_output(text_table(rows));
}

/// Deletes apps and images, or without `--yes` only counts them. Collects them for the JSON
/// document.
class Pruning {
 public:
  Pruning(Invocation& invocation, bool deletes) : invocation_(invocation), deletes_(deletes) {}

  void delete_or_count(const ListedApp& app) {
    const std::string handle = to_string(app.handle);
    // Another command may have deleted the app since the list.
    if (run("handle", handle, Code::kNotFound,
            [&] { invocation_.runner().delete_app(app.handle); }))
      handles_.emplace_back(handle);
  }
  void delete_or_count(const MeasuredImage& image) {
    const auto& [provider, unused] = image.cached;
    // An app may have begun to use the image since the list.
    if (!run("image", unused.root, Code::kPrecondition,
             [&] { remove_image(invocation_, image.cached); }))
      return;
    images_.push_back(json::object{{"provider", provider},
                                   {"root", unused.root},
                                   {"bytes", image.bytes},
                                   {"last_used_at", time_json(unused.last_used_at)}});
    bytes_ += image.bytes;
  }

  void say_apps() const {
    const std::size_t count = handles_.size();
    say_count(count, fmt::format("{} app{}", count, count == 1 ? "" : "s"),
              ", with records and logs");
  }
  void say_images() const {
    const std::size_t count = images_.size();
    const std::string size = count == 0 ? "" : " (" + size_text(bytes_) + ")";
    say_count(count, fmt::format("{} unused image{}{}", count, count == 1 ? "" : "s", size), "");
  }

  void add(const FailedQuery& failure) {
    errors_.push_back(
        json::object{{"scheduler", failure.scheduler}, {"message", failure.error.message()}});
  }

  /// Prints the document if the caller wants JSON. Returns the exit status.
  int finish() {
    const int status = errors_.empty() ? kExitOk : kExitTemporary;
    if (invocation_.json()) {
      write_json(json::object{{deletes_ ? "deleted" : "would_delete", std::move(handles_)},
                              {"images", std::move(images_)},
                              {"errors", std::move(errors_)}});
    }
    return status;
  }

 private:
  /// Calls `remove` unless the command only lists. Returns false if `remove` failed. Reports
  /// failures except those with the code `expected`.
  template <class Remove>
  bool run(const char* key, const std::string& name, Code expected, Remove remove) {
    try {
      if (deletes_) remove();
      return true;
    } catch (const Error& error) {
      if (error.code() == expected) return false;
      if (is_end_of_time_limit(error.code())) throw;
      say(LogLevel::kError, name + " is not deleted: " + error.message());
      errors_.push_back(json::object{{key, name}, {"message", error.message()}});
      return false;
    }
  }
  void say_count(std::size_t count, const std::string& what, const std::string& details) const {
    if (deletes_) {
      say(LogLevel::kInfo, what + " deleted");
    } else {
      say(LogLevel::kWarning,
          what + " would be deleted" + details + (count == 0 ? "" : "; --yes deletes them"));
    }
  }

  Invocation& invocation_;
  bool deletes_;
  json::array handles_;
  json::array images_;
  json::array errors_;
  std::int64_t bytes_ = 0;
};

}  // namespace

int prune(Invocation& invocation, const PruneCommand& command) {
  check_selectors(command);
  const std::optional<std::int64_t> larger =
      command.larger.empty() ? std::nullopt : std::optional(mebibytes_of(command.larger));
  const bool with_images = selects_images(invocation, command);
  std::vector<ListedApp> apps;
  std::vector<FailedQuery> failures;
  if (!command.images)
    apps = select_apps(invocation, command.apps, SelectedApps::kFinished, failures);
  report_failures(failures, /*continues=*/true);
  if (larger) keep_larger(invocation, *larger, apps);
  std::vector<MeasuredImage> images;
  if (with_images)
    images = select_images(invocation, logs::parse_bound(command.apps.before), larger);
  if (!invocation.json() && !apps.empty()) print_apps(apps);
  if (!invocation.json() && !images.empty()) print_images(images);
  Pruning pruning(invocation, command.yes);
  for (const FailedQuery& failure : failures) pruning.add(failure);
  for (const ListedApp& app : apps) pruning.delete_or_count(app);
  for (const MeasuredImage& image : images) pruning.delete_or_count(image);
  if (!command.images) pruning.say_apps();
  if (command.images || !images.empty()) pruning.say_images();
  return pruning.finish();
}

}  // namespace slipway::cli
