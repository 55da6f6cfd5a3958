#include <boost/json.hpp>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/run_opts_text.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/runner/run_record_json.hpp"

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
  boost::json::object document;
  std::string text;
  std::vector<SchedulerAnswer<RunOpts>> answers;
  if (!command.scheduler.empty()) {
    answers.push_back({command.scheduler, runner.run_opts(command.scheduler), std::nullopt, false});
  } else {
    answers = runner.run_opts_of(schedulers_or_throw(runner));
  }
  // The keys of the document are names of schedulers, so that failures are only on stderr.
  for (const auto& answer : answers) {
    warn_if_failed(answer);
    if (answer.error) continue;
    document[answer.scheduler] = options_json(answer.answer);
    text += (text.empty() ? "" : "\n") + run_opts_text(answer.scheduler, answer.answer);
  }
  if (invocation.json()) {
    write_json(document);
  } else {
    write_output(text);
  }
  return kExitOk;
}

}  // namespace slipway::cli
