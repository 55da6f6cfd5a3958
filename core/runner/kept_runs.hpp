// Keeps the run record of each app from its submission until its deletion.
#pragma once

#include <functional>
#include <string>

#include "core/registry/plugin_host.hpp"
#include "core/runner/run_records.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/run_opts.hpp"
#include "slipway/run_record.hpp"
#include "slipway/runner.hpp"

namespace slipway {

/// Returns all declared options with their given or default values, and the given options that are
/// not declared.
std::vector<RecordedOption> recorded_options(const RunOpts& declared, const Dict<Value>& given);

/// Returns the run records of a scheduler.
RunRecords records_of(const registry::PluginHost& plugins, const std::string& scheduler);

/// Writes the run record of the app `handle`, with the facts of this process and of its plug-ins.
/// Then, at most once a day, calls forget_run() for each run record of this machine and scheduler
/// that is older than a day and whose app no longer exists. `exists` may throw Error; the run
/// record is then kept. An empty `exists` removes none. Logs a failure as a warning.
void keep_run(registry::PluginHost& plugins, const AppDryRun& dryrun, const AppHandle& handle,
              const std::function<bool(const RunRecordName& name)>& exists) noexcept;

/// Removes the run record, even if it is damaged. If it can be read, also removes its copies of the
/// workspace, except those that another run record names. Never throws.
void forget_run(registry::PluginHost& plugins, const std::string& scheduler,
                const RunRecordName& name) noexcept;

}  // namespace slipway
