#include "core/cli/command_line.hpp"

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/completion/completion.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/parser/parser.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"

namespace slipway::cli {

namespace {

LogLevel log_level(const GlobalOptions& globals) {
  if (!globals.log_level.empty()) return parse_log_level(globals.log_level);
  if (globals.quiet) return LogLevel::kError;
  return globals.verbose > 1    ? LogLevel::kTrace
         : globals.verbose == 1 ? LogLevel::kDebug
                                : LogLevel::kInfo;
}

/// Lets -q and -v of the command line win over what the configuration says about messages. `given`
/// has the options of the command line alone, `globals` also those of the configuration, which
/// cannot set -v.
void prefer_given(const GlobalOptions& given, GlobalOptions& globals) {
  if (!given.log_level.empty() || (!given.quiet && given.verbose == 0)) return;
  globals.log_level.clear();
  globals.quiet = given.quiet;
}

/// Warns of places in --plugin-path that do not exist.
void check_plugin_path(const GlobalOptions& globals) {
  if (globals.no_plugins) return;
  for (const std::string& place : globals.plugin_path) {
    if (!place.empty() && ::access(place.c_str(), F_OK) != 0 && errno == ENOENT)
      say(LogLevel::kWarning, "--plugin-path " + place + " does not exist");
  }
}

/// Runs the command. Does not destroy the invocation if a thread still uses it: the process ends
/// soon.
int run(const ParsedCommand& parsed, std::unique_ptr<Invocation> invocation) {
  const auto destroy = [](Invocation* used) {
    if (!used->is_kept()) delete used;
  };
  const std::unique_ptr<Invocation, decltype(destroy)> owner(invocation.release());
  return parsed.command(*owner);
}

int parse_and_run(const std::vector<std::string>& arguments) {
  // Static, so that the process ends without destroying the tree of options.
  static const ParsedCommand parsed = parse_arguments(arguments);
  if (!parsed.text.empty()) {
    write_output(parsed.text);
    return kExitOk;
  }
  set_log_level(log_level(parsed.globals));  // without the configuration, which is not read yet
  if (parsed.config_errors == ConfigErrors::kNotRead) {
    return run(parsed, std::make_unique<Invocation>(parsed.globals));
  }
  config::Loaded loaded = load_configuration(parsed.globals, parsed.flags);
  GlobalOptions globals = parsed.apply_settings(loaded.settings, loaded.problems);
  prefer_given(parsed.globals, globals);
  if (parsed.config_errors == ConfigErrors::kWarnings) downgrade_file_errors(loaded);
  const bool command_reports = parsed.config_errors == ConfigErrors::kReported;
  if (!command_reports) loaded.throw_if_errors();
  set_log_level(log_level(globals));
  if (!command_reports) print_warnings(loaded.problems);
  check_plugin_path(globals);
  auto invocation = std::make_unique<Invocation>(std::move(globals), std::move(loaded.settings),
                                                 std::move(loaded.site));
  invocation->called_with(arguments);
  return run(parsed, std::move(invocation));
}

// Takes a reference: a copy would lose the problems of a spec::InvalidApp.
void print(const Error& error, bool json) {
  say(error);
  try {
    if (json) write_json(error_json(error));
  } catch (const Error&) {
    // Standard output cannot be written. `error` may be the report of this.
  }
}

/// Prints the error. Returns the exit status.
int report(const Error& error, bool json) {
  if (is_end_of_time_limit(error.code())) {
    print(Error(Code::kTimeout, "the time limit (--timeout) is over: " + error.message(),
                error.hint(), error.where()),
          json);
    return kExitTimeout;
  }
  print(error, json);
  return exit_status(error.code());
}

}  // namespace

int run_command_line(int argc, char** argv) {
  reserve_standard_streams();
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.front() == kCompleteWord) {
    arguments.erase(arguments.begin());
    return answer_completion(arguments);
  }
  // Errors in the arguments must also be JSON, so this finds --json without parsing the arguments.
  const auto failed = [&](const Error& error) { return report(error, asks_for_json(arguments)); };
  try {
    return parse_and_run(arguments);
  } catch (const Error& error) {
    return failed(error);
  } catch (const std::bad_alloc&) {
    return failed(Error(Code::kTemporary, "out of memory"));
  } catch (const std::exception& error) {
    return failed(Error(Code::kInternal, std::string("a defect in Slipway: ") + error.what(),
                        "please report it with what you did"));
  }
}

}  // namespace slipway::cli
