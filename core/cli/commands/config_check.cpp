// `config check FILE`: finds mistakes in a configuration file before it is installed.
#include <algorithm>
#include <filesystem>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/configuration_check.hpp"
#include "core/cli/commands/problem_report.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/config/sources.hpp"
#include "sdk/support/absolute_path.hpp"

namespace slipway::cli {

int config_check(Invocation& invocation, const ConfigCommand& command) {
  const std::string file = normal_path(absolute_path(command.file)).string();
  std::error_code error;
  const bool exists = std::filesystem::exists(file, error);
  if (error) {
    throw Error(error == std::errc::permission_denied ? Code::kDenied : Code::kNotFound,
                "cannot look for " + file + ": " + error.message());
  }
  if (!exists) throw Error(Code::kNotFound, "there is no file " + file);
  // The site's own file is always read as such.
  const bool as_site =
      command.as_site || std::filesystem::equivalent(file, config::Places().site_file, error);
  std::vector<spec::Problem> problems =
      check_configuration_file(invocation, command.make_cli_app, file, as_site);
  // Problems of other files, such as the site's, are not reported here.
  std::erase_if(problems, [&](const spec::Problem& each) { return each.where.file != file; });
  ProblemReport report(problems);
  if (invocation.json()) {
    write_json(boost::json::object{{"file", file}, {"problems", std::move(report.rows)}});
  } else {
    write_output(report.lines);
  }
  say(LogLevel::kInfo, command.file + ": " + report.counts());
  return report.errors > 0 ? kExitConfig : kExitOk;
}

}  // namespace slipway::cli
