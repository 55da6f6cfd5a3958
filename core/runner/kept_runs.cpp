#include "core/runner/kept_runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "core/runner/workspace.hpp"
#include "sdk/support/own_environment.hpp"

namespace slipway {

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

std::string working_directory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

StrList variable_names() {
  StrList out;
  for (const std::string& variable : own_environment())
    out.push_back(variable.substr(0, variable.find('=')));
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns the run record, or nullopt if it is missing or damaged.
std::optional<RunRecord> record_if_readable(const RunRecords& records, const RunRecordName& name) {
  try {
    return records.read(name);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Removes the copies of the workspace of a removed run record, except those that another one
/// names.
void discard_copies(registry::PluginHost& plugins, const RunRecords& records,
                    const RecordedWorkspace& workspace) {
  StrList images = workspace.other_images;
  images.push_back(workspace.image);
  for (const std::string& image : images)
    if (!records.any_uses(image)) discard_copy(plugins, workspace.provider, image);
}

/// Adds the facts of this process and of its plug-ins, and writes the run record. Throws Error if
/// it cannot be written.
void write(registry::PluginHost& plugins, const AppHandle& handle, RunRecord record) {
  const RunRecords records = records_of(plugins, handle.scheduler);
  record.slipway_version = SLIPWAY_VERSION;
  record.plugins = records.loaded_plugins(plugins.registry());
  record.host = host_name();
  record.directory = working_directory();
  record.environment = variable_names();
  records.write({handle.session, handle.app_id}, record);
}

/// Removes the run records of deleted apps; see keep_run(). Throws Error kCantCreate as
/// RunRecords::visit_old() does.
void forget_deleted_runs(registry::PluginHost& plugins, const std::string& scheduler,
                         const std::function<bool(const RunRecordName& name)>& exists) {
  const std::string host = host_name();
  const RunRecords records = records_of(plugins, scheduler);
  records.visit_old([&](const RunRecordName& name) {
    try {
      const std::optional<RunRecord> record = records.read(name);
      // A machine that shares the directory may have a scheduler of its own, which this machine
      // cannot query.
      if (record && record->host == host && !exists(name)) forget_run(plugins, scheduler, name);
    } catch (const Error&) {
      return;  // a damaged run record or a silent scheduler proves nothing about the app
    }
  });
}

}  // namespace

std::vector<RecordedOption> recorded_options(const RunOpts& declared, const Dict<Value>& given) {
  std::vector<RecordedOption> out;
  for (const RunOpt& option : declared) {
    const Value* value = find(given, option.name);
    out.push_back(value != nullptr ? RecordedOption{option.name, *value, "given"}
                                   : RecordedOption{option.name, option.default_value, "default"});
  }
  for (const auto& [name, value] : given)
    if (declared.get(name) == nullptr) out.push_back({name, value, "given"});
  return out;
}

RunRecords records_of(const registry::PluginHost& plugins, const std::string& scheduler) {
  return {plugins.state_dir(scheduler), scheduler};
}

void forget_run(registry::PluginHost& plugins, const std::string& scheduler,
                const RunRecordName& name) noexcept {
  try {
    const RunRecords records = records_of(plugins, scheduler);
    const std::optional<RunRecord> record = record_if_readable(records, name);
    records.remove(name);
    if (record && record->workspace) discard_copies(plugins, records, *record->workspace);
  } catch (const std::exception&) {
    return;  // the caller reports the deletion of the app, which has succeeded
  }
}

void keep_run(registry::PluginHost& plugins, const AppDryRun& dryrun, const AppHandle& handle,
              const std::function<bool(const RunRecordName& name)>& exists) noexcept {
  std::string failure = "what " + handle.app_id + " was started with is not recorded: ";
  try {
    RunRecord record = dryrun.record;
    if (dryrun.complete_record) dryrun.complete_record(record);
    write(plugins, handle, std::move(record));
    failure = "run records of deleted apps on " + handle.scheduler + " are not removed: ";
    if (exists) forget_deleted_runs(plugins, handle.scheduler, exists);
  } catch (const std::exception& error) {
    plugins.log(LogLevel::kWarning, failure + error.what());
  }
}

}  // namespace slipway
