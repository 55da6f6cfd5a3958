#include <boost/json.hpp>
#include <map>
#include <string>
#include <vector>

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

bool is_same(const RunOpt& a, const RunOpt& b) {
  return a.name == b.name && a.type == b.type && a.help == b.help && a.required == b.required &&
         a.default_value == b.default_value;
}

/// Returns the names of the schedulers that declare exactly this option, joined by commas.
std::string schedulers_with(const RunOpt& option,
                            const std::vector<SchedulerAnswer<RunOpts>>& answers) {
  std::string out;
  for (const auto& answer : answers) {
    const RunOpt* own = answer.error ? nullptr : answer.answer.get(option.name);
    if (own != nullptr && is_same(*own, option))
      out += (out.empty() ? "" : ", ") + answer.scheduler;
  }
  return out;
}

/// Returns the options for people. Those that several schedulers share are printed once, under the
/// names of all of them.
std::string text_of(const std::vector<SchedulerAnswer<RunOpts>>& answers) {
  std::vector<std::string> headings;  // in the order of their first option
  std::map<std::string, RunOpts> sections;
  for (const auto& answer : answers) {
    if (answer.error) continue;
    if (answer.answer.empty()) headings.push_back(answer.scheduler);
    for (const RunOpt& option : answer.answer) {
      const std::string heading = schedulers_with(option, answers);
      const auto [section, is_new] = sections.try_emplace(heading);
      if (is_new) headings.push_back(heading);
      if (section->second.get(option.name) == nullptr) section->second.add(option);
    }
  }
  std::string out;
  for (const std::string& heading : headings)
    out += (out.empty() ? "" : "\n") + run_opts_text(heading, sections[heading]);
  return out;
}

}  // namespace

int run_opts(Invocation& invocation, const RunOptsCommand& command) {
  Runner& runner = invocation.runner();
  boost::json::object document;
  std::vector<SchedulerAnswer<RunOpts>> answers;
  if (!command.scheduler.empty()) {
    answers.push_back({command.scheduler, runner.run_opts(command.scheduler), std::nullopt, false});
  } else {
    answers = runner.run_opts_of(schedulers_or_throw(runner));
  }
  // All keys of the document are names of schedulers, so failures appear only on stderr.
  for (const auto& answer : answers) {
    warn_if_failed(answer);
    if (answer.error) continue;
    document[answer.scheduler] = options_json(answer.answer);
  }
  if (invocation.json()) {
    write_json(document);
  } else {
    write_output(text_of(answers));
  }
  return kExitOk;
}

}  // namespace slipway::cli
