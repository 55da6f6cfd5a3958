#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/run_record_text.hpp"
#include "core/cli/output/secrets.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/runner/run_record_json.hpp"
#include "core/spec/app_json.hpp"
#include "core/spec/app_toml.hpp"

namespace slipway::cli {

int describe(Invocation& invocation, const DescribeCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  existing_app(invocation, handle, StatusDetail::kApp);
  std::optional<AppDef> app = invocation.runner().describe(handle);
  if (!app) {
    throw Error(Code::kUnimplemented,
                "the scheduler " + handle.scheduler + " has no app file of " + handle.app_id);
  }
  if (!invocation.options().show_secrets && redact_secrets(*app)) {
    say(LogLevel::kWarning,
        "values that look like secrets are redacted; --show-secrets shows them");
  }
  if (!command.full) {
    if (invocation.json()) {
      write_json(spec::to_json(*app));
    } else {
      write_output(spec::to_toml(*app));
    }
    return kExitOk;
  }
  const std::optional<RunRecord> record = invocation.runner().run_record(handle);
  if (!record)
    say(LogLevel::kWarning, "what " + handle.app_id + " was started with is not recorded");
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
