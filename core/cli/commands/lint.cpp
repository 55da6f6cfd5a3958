#include "core/lint/lint.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/cli/apps/app_options.hpp"
#include "core/cli/apps/app_source.hpp"
#include "core/cli/apps/cfg_words.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/components/component_reference.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/lint/portability.hpp"
#include "core/lint/rules.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/app_file.hpp"
#include "core/spec/near_name.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

/// A scheduler that makes a dry run of every app, and the run options of these dry runs.
struct LintScheduler {
  std::string scheduler;
  RunOpts declared;
  Dict<Value> cfg;
};

/// Returns the schedulers of --scheduler. Throws for an unknown scheduler, and for run options that
/// a scheduler refuses, before lint reads the first file.
std::vector<LintScheduler> schedulers_of(Invocation& invocation, const LintCommand& command) {
  std::vector<LintScheduler> out;
  for (const std::string& scheduler : command.schedulers) {
    const RunOpts declared = invocation.runner().run_opts(scheduler);
    LintScheduler target{scheduler, declared,
                         options_from_words(invocation, scheduler, declared, command.cfg, {})};
    resolve_options(declared, target.cfg);
    out.push_back(std::move(target));
  }
  return out;
}

/// Throws Error kUsage for names in --allow that are not rules, and for rules about errors.
void check_allowed(const std::vector<std::string>& allowed) {
  for (const std::string& name : allowed) {
    const lint::Rule* rule = lint::find_rule(name);
    if (rule == nullptr) {
      std::vector<std::string_view> names;
      for (const lint::Rule& known : lint::rules()) names.push_back(known.name);
      const std::string near = spec::did_you_mean(name, names);
      throw Error(Code::kUsage, "there is no rule " + spec::quoted(name),
                  near.empty() ? "`slipway lint --rules` lists them" : near);
    }
    if (rule->severity == spec::Severity::kError)
      throw Error(Code::kUsage, "the rule " + name + " is about errors, which cannot be allowed");
  }
}

/// Finds the problems of app files and component files, also by dry runs.
class Linter {
 public:
  Linter(Invocation& invocation, const LintCommand& command)
      : invocation_(invocation),
        schedulers_(schedulers_of(invocation, command)),
        allowed_(command.allowed) {}

  /// Returns the problems of a file, without warnings of the allowed rules.
  std::vector<spec::Problem> problems(const std::string& file) {
    lint::FileReport report = read(file);
    if (report.app) {
      check_options(*report.app, report.problems);
      for (const LintScheduler& target : schedulers_) dry_run(target, *report.app, report.problems);
      lint::sort_by_place(report.problems);
    } else if (!schedulers_.empty()) {
      say(LogLevel::kInfo,
          spec::quoted(file) + ": schedulers check only apps without errors, not components");
    }
    if (report.omitted > 0)
      say(LogLevel::kWarning, fmt::format("{}: {} more problems", file, report.omitted));
    std::erase_if(report.problems, [this](const spec::Problem& problem) {
      return problem.severity == spec::Severity::kWarning &&
             std::find(allowed_.begin(), allowed_.end(), problem.rule) != allowed_.end();
    });
    return std::move(report.problems);
  }

 private:
  lint::FileReport read(const std::string& file) {
    const auto resolver = resource_resolver(invocation_);
    const auto names = resource_names(invocation_);
    if (file == "-") return lint::lint_app_json(read_standard_input(), "stdin", resolver, names);
    const components::ComponentReference reference = components::parse_reference(file);
    if (reference.file.empty()) {
      components::ComponentBook& book = invocation_.components();
      const components::ComponentReference source = book.parse_source_file(file);
      if (!source.file.empty()) return check_source(book, source);
    }
    const bool names_component = !reference.file.empty() && !reference.name.empty();
    return names_component ? lint::lint_file(reference.file, reference.name, resolver, names)
                           : lint::lint_file(file, {}, resolver, names);
  }

  /// Lets the plug-in that reads such source files check the components in this one.
  static lint::FileReport check_source(components::ComponentBook& book,
                                       const components::ComponentReference& source) {
    lint::FileReport out;
    try {
      for (ComponentProblem& problem : book.check_file(source.file, source.name)) {
        out.problems.push_back({spec::Severity::kError,
                                {source.file, problem.line, problem.column},
                                {},
                                std::move(problem.message),
                                std::move(problem.hint),
                                Code::kInvalid,
                                lint::rule::kComponentSource});
      }
    } catch (const Error& error) {
      const bool is_missing = error.code() == Code::kNotFound;
      const bool concerns_file =
          is_missing || error.code() == Code::kInvalid || error.code() == Code::kDenied;
      if (!concerns_file) throw;  // the plug-in cannot check any file, for example without Python
      const bool lacks_component =
          is_missing && !source.name.empty() && ::access(source.file.c_str(), F_OK) == 0;
      const std::string_view rule = lacks_component ? lint::rule::kUnknownComponent
                                    : is_missing    ? lint::rule::kUnreadableFile
                                                    : lint::rule::kComponentSource;
      out.problems = {{spec::Severity::kError,
                       {source.file},
                       {},
                       error.message(),
                       error.hint(),
                       error.code(),
                       rule}};
    }
    return out;
  }

  /// Adds the mistakes in the run options of the file for schedulers that --scheduler does not
  /// name.
  void check_options(const spec::AppFile& file, std::vector<spec::Problem>& out) {
    std::map<std::string, std::vector<config::Setting>> by_scheduler;
    for (config::Setting& setting : app_settings(file.app, {file.source, file.options})) {
      // A defect, such as an unset variable, may exist only on this machine.
      if (setting.defect.empty()) by_scheduler[setting.key.name].push_back(std::move(setting));
    }
    by_scheduler.erase(std::string(spec::kEveryScheduler));  // not every scheduler has these
    for (const LintScheduler& target : schedulers_) by_scheduler.erase(target.scheduler);
    if (by_scheduler.empty()) return;
    const std::vector<std::string> names = invocation_.runner().scheduler_backends();
    for (const auto& [scheduler, settings] : by_scheduler) {
      if (std::find(names.begin(), names.end(), scheduler) == names.end()) {
        // A name that resembles no known name is probably a scheduler of another machine.
        const std::string near = spec::did_you_mean(scheduler, names);
        if (near.empty()) continue;
        out.push_back(config::problem_of(settings.front(),
                                         "there is no scheduler " + spec::quoted(scheduler), near,
                                         spec::Severity::kWarning));
        out.back().rule = lint::rule::kIgnoredByScheduler;
        continue;
      }
      try {
        const RunOpts declared = invocation_.runner().run_opts(scheduler);
        config::run_option_settings(config::Settings().with_app(settings), scheduler, declared,
                                    out);
      } catch (const Error& error) {
        if (is_end_of_time_limit(error.code())) throw;
        say(LogLevel::kWarning,
            "the options of " + scheduler + " are not checked: " + error.message());
      }
    }
  }

  /// Adds what the scheduler would ignore or refuse in the app.
  void dry_run(const LintScheduler& target, const spec::AppFile& file,
               std::vector<spec::Problem>& out) {
    try {
      const AppDryRun dryrun =
          invocation_.runner().dryrun(file.app, target.scheduler, options_of(target, file, out));
      lint::add_findings(file, target.scheduler, dryrun.findings, out);
    } catch (const Error& refusal) {
      if (is_end_of_time_limit(refusal.code())) throw;
      lint::add_refusal(file, target.scheduler, refusal, out);
    }
  }

  /// Returns the run options of the app file and of the command line; those of the command line
  /// win. Adds mistakes of the file to `out`.
  static Dict<Value> options_of(const LintScheduler& target, const spec::AppFile& file,
                                std::vector<spec::Problem>& out) {
    const config::Settings settings =
        config::Settings().with_app(app_settings(file.app, {file.source, file.options}));
    Dict<Value> options;
    for (config::RunOptionSetting& option :
         config::run_option_settings(settings, target.scheduler, target.declared, out))
      set(options, option.from->key.option, std::move(option.value));
    for (const auto& [name, value] : target.cfg) set(options, name, value);
    return options;
  }

  Invocation& invocation_;
  std::vector<LintScheduler> schedulers_;
  const std::vector<std::string>& allowed_;
};

/// Counts the problems in all files.
struct Tally {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  bool unknown_resource = false;
  std::size_t unreadable = 0;
  Code why_unreadable = Code::kNotFound;  ///< of the first file that could not be read

  void add(const spec::Problem& problem) {
    if (problem.rule == lint::rule::kUnreadableFile && unreadable++ == 0)
      why_unreadable = problem.code;
    ++(problem.severity == spec::Severity::kError ? errors : warnings);
    unknown_resource = unknown_resource || problem.rule == spec::rule::kUnknownResource;
  }

  /// Returns 65 if there is an error, or with `strict` a warning. If all errors are unreadable
  /// files, returns the status of the first one.
  int exit_status(bool strict) const {
    if (errors > 0 && errors == unreadable) return cli::exit_status(why_unreadable);
    return errors > 0 || (strict && warnings > 0) ? kExitData : kExitOk;
  }
};

const char* name_of(spec::Severity severity) {
  return severity == spec::Severity::kError ? "error" : "warning";
}

/// Returns `file:line:column: severity: key: message, hint [rule]` in one line.
std::string lint_line(const spec::Problem& problem) {
  std::string line = to_string(problem.where) + ": " + name_of(problem.severity) + ": ";
  if (!problem.key.empty()) line += problem.key + ": ";
  line += problem.message;
  if (!problem.hint.empty()) line += ", " + problem.hint;
  return visible_line(line + " [" + std::string(problem.rule) + ']');
}

/// Returns `{"file","line","column","severity","rule","key","message","hint"}`.
json::object lint_json(const spec::Problem& problem) {
  json::object out;
  out["file"] = problem.where.file;
  out["line"] = problem.where.line;
  out["column"] = problem.where.column;
  out["severity"] = name_of(problem.severity);
  out["rule"] = json::string(problem.rule.data(), problem.rule.size());
  out["key"] = text_or_null(problem.key);
  out["message"] = problem.message;
  out["hint"] = text_or_null(problem.hint);
  return out;
}

std::string rules_text() {
  std::vector<std::vector<std::string>> rows = {{"RULE", "SEVERITY", "FINDS"}};
  for (const lint::Rule& rule : lint::rules())
    rows.push_back({std::string(rule.name), name_of(rule.severity), std::string(rule.what)});
  return text_table(rows);
}

/// Returns `[{"name","severity","what"}]`.
json::array rules_json() {
  json::array out;
  for (const lint::Rule& rule : lint::rules()) {
    out.push_back(json::object{{"name", std::string(rule.name)},
                               {"severity", name_of(rule.severity)},
                               {"what", std::string(rule.what)}});
  }
  return out;
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

int lint(Invocation& invocation, const LintCommand& command) {
  if (command.rules) {
    if (invocation.json()) {
      write_json(rules_json());
    } else {
      write_output(rules_text());
    }
    return kExitOk;
  }
  if (command.files.empty())
    throw Error(Code::kUsage, "no file to check", "write slipway lint FILE");
  check_allowed(command.allowed);
  Linter linter(invocation, command);
  Tally tally;
  json::array rows;
  for (const std::string& file : command.files) {
    std::string lines;
    for (const spec::Problem& problem : linter.problems(file)) {
      tally.add(problem);
      if (invocation.json()) {
        rows.push_back(lint_json(problem));
      } else {
        lines += lint_line(problem) + '\n';
      }
    }
    write_output(lines);
  }
  if (invocation.json()) write_json(rows);
  if (tally.unknown_resource) warn_of_missing_resources(invocation);
  say(LogLevel::kInfo,
      fmt::format("{}: {}, {}", counted(command.files.size(), "file"),
                  counted(tally.errors, "error"), counted(tally.warnings, "warning")));
  return tally.exit_status(command.strict);
}

}  // namespace slipway::cli
