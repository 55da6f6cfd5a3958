#include <boost/json.hpp>

#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/run_opts_text.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"

namespace slipway::cli {

namespace {

boost::json::array options_json(const RunOpts& options) {
  boost::json::array out;
  for (const RunOpt& option : options) {
    boost::json::object row;
    row["name"] = option.name;
    row["type"] = to_string(option.type);
    row["required"] = option.required;
    row["default"] = value_json(option.default_value);
    row["help"] = option.help;
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

int run_opts(Invocation& invocation, const RunOptsCommand& command) {
  Runner& runner = invocation.runner();
  const bool one = !command.scheduler.empty();
  boost::json::object document;
  std::string text;
  std::vector<SchedulerAnswer<RunOpts>> answers;
  if (one) {
    answers.push_back({command.scheduler, runner.run_opts(command.scheduler), std::nullopt, false});
  } else {
    answers = runner.run_opts_of(runner.scheduler_backends());
  }
  for (const auto& [scheduler, options, error, lost] : answers) {
    if (error) {
      if (!lost) say(LogLevel::kWarning, scheduler + " could not be queried: " + error->message());
      continue;
    }
    document[scheduler] = options_json(options);
    text += (text.empty() ? "" : "\n") + run_opts_text(scheduler, options);
  }
  if (invocation.json()) {
    write_json(document);
  } else {
    write_output(text);
  }
  return kExitOk;
}

}  // namespace slipway::cli
