// `config check FILE`: what is wrong with a configuration file, before it is put into its place.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/configuration_check.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"

namespace slipway::cli {

int config_check(Invocation& invocation, const ConfigCommand& command) {
  const std::string file = std::filesystem::absolute(command.file).lexically_normal().string();
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown))
    throw Error(Code::kNotFound, "there is no file " + file);
  std::vector<spec::Problem> problems = check_configuration_file(invocation, file, command.as_site);
  // What is wrong with the site's file is no fault of this one.
  std::erase_if(problems, [&](const spec::Problem& each) { return each.where.file != file; });
  std::size_t errors = 0;
  boost::json::array rows;
  std::string lines;
  for (const spec::Problem& problem : problems) {
    errors += problem.severity == spec::Severity::kError ? 1 : 0;
    rows.push_back(problem_json(problem));
    lines += spec::to_string(problem) + "\n";
  }
  if (invocation.json()) {
    write_json(boost::json::object{{"file", file}, {"problems", std::move(rows)}});
  } else {
    write_output(lines);
  }
  say(LogLevel::kInfo,
      fmt::format("{}: errors: {}, warnings: {}", command.file, errors, problems.size() - errors));
  return errors > 0 ? kExitConfig : kExitOk;
}

}  // namespace slipway::cli
