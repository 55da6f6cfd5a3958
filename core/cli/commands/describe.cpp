#include <fmt/core.h>

#include <string>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/secrets.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/runner/run_record_json.hpp"
#include "core/spec/app_json.hpp"
#include "core/spec/app_toml.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/shell_words.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/run_record.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

std::string comment_line(const std::string& key, const std::string& value) {
  return value.empty() ? "" : fmt::format("# {:<12} {}\n", key + ":", visible_line(value));
}

std::string git_text(const RunRecord& record) {
  if (record.git_revision.empty()) return {};
  const char* state = !record.git_dirty   ? ""
                      : *record.git_dirty ? ", and tracked files differed from it"
                                          : ", and no tracked file differed from it";
  return record.git_revision + state;
}

/// Returns the record of a run as lines that start with `#`, so that an app file with these lines
/// is still an app file.
std::string run_record_text(const RunRecord& record) {
  std::string out = "\n" + comment_line("command", "slipway " + shell_joined(record.command_line)) +
                    comment_line("directory", record.directory) +
                    comment_line("machine", record.host) + comment_line("git", git_text(record)) +
                    comment_line("slipway", record.slipway_version);
  for (const RecordedPlugin& plugin : record.plugins) {
    const std::string checksum = plugin.sha256.empty() ? "" : " sha256 " + plugin.sha256;
    out += comment_line("plug-in", plugin.id + " " + plugin.version + checksum);
  }
  if (record.workspace) {
    out += comment_line("workspace", fmt::format("{}, copied to {}", record.workspace->source,
                                                 record.workspace->image));
  }
  for (const RecordedOption& option : record.options) {
    out += comment_line("run option", fmt::format("{} = {} ({})", option.name,
                                                  json_text(option.value), option.origin));
  }
  return out + comment_line("variables", joined(record.environment, " "));
}

}  // namespace

int describe(Invocation& invocation, const DescribeCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  existing_app(invocation, handle, StatusDetail::kApp);  // throws if the app does not exist
  std::optional<AppDef> app = invocation.runner().describe(handle);
  if (!app) {
    throw Error(Code::kUnimplemented,
                "the scheduler " + handle.scheduler + " has no app file of " + handle.app_id);
  }
  std::optional<RunRecord> record;
  if (command.full) record = invocation.runner().run_record(handle);
  if (!invocation.options().show_secrets) {
    const bool app_has_secrets = redact_secrets(*app);
    const bool record_has_secrets = record && redact_secrets(*record);
    if (app_has_secrets || record_has_secrets) {
      say(LogLevel::kWarning,
          "values that look like secrets are redacted; --show-secrets shows them");
    }
  }
  if (!command.full) {
    if (invocation.json()) {
      write_json(spec::to_json(*app));
    } else {
      write_output(spec::to_toml(*app));
    }
    return kExitOk;
  }
  if (!record) say(LogLevel::kWarning, "there is no run record of " + handle.app_id);
  if (invocation.json()) {
    write_json(boost::json::object{
        {"app", spec::to_json(*app)},
        {"run", record ? boost::json::value(run_record_json(*record)) : boost::json::value()}});
    return kExitOk;
  }
  write_output(spec::to_toml(*app));
  if (record) write_output(run_record_text(*record));
  return kExitOk;
}

}  // namespace slipway::cli
