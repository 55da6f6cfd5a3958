#include "core/lint/lint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/cli/apps/app_source.hpp"
#include "core/cli/apps/resource_names.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/lint_output.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_input.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/components/component_reference.hpp"
#include "core/lint/portability.hpp"
#include "core/lint/rules.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::cli {

namespace {

/// A scheduler that is asked about every app, and the run options it is asked with.
struct Asked {
  std::string scheduler;
  Dict<Value> cfg;
};

/// Everything that can be wrong with the question is told before the first file is read.
std::vector<Asked> schedulers_of(Invocation& invocation, const LintCommand& command) {
  std::vector<Asked> out;
  for (const std::string& scheduler : command.schedulers) {
    const RunOpts declared = invocation.runner().run_opts(scheduler);
    Asked asked{scheduler, {}};
    std::vector<std::string> warnings;
    for (const std::string& text : command.cfg) {
      for (auto& [key, value] : parse_options(declared, text, warnings))
        set(asked.cfg, key, std::move(value));
    }
    for (const std::string& warning : warnings) say(LogLevel::kWarning, warning);
    resolve_options(declared, asked.cfg);
    out.push_back(std::move(asked));
  }
  return out;
}

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

class Linter {
 public:
  Linter(Invocation& invocation, const LintCommand& command)
      : invocation_(invocation),
        asked_(schedulers_of(invocation, command)),
        allowed_(command.allowed) {}

  std::vector<spec::Problem> problems(const std::string& file) {
    lint::FileReport report = read(file);
    if (report.app) {
      for (const Asked& asked : asked_) ask(asked, *report.app, report.problems);
      lint::sort_by_place(report.problems);
    } else if (!asked_.empty()) {
      say(LogLevel::kInfo,
          spec::quoted(file) + ": no scheduler is asked about components and apps with errors");
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
    const bool named = !reference.file.empty() && !reference.name.empty();
    return named ? lint::lint_file(reference.file, reference.name, resolver, names)
                 : lint::lint_file(file, {}, resolver, names);
  }

  void ask(const Asked& asked, const spec::AppFile& file, std::vector<spec::Problem>& out) {
    try {
      const AppDryRun dryrun = invocation_.runner().dryrun(file.app, asked.scheduler, asked.cfg);
      lint::add_findings(file, asked.scheduler, dryrun.findings, out);
    } catch (const Error& refusal) {
      lint::add_refusal(file, asked.scheduler, refusal, out);
    }
  }

  Invocation& invocation_;
  std::vector<Asked> asked_;
  const std::vector<std::string>& allowed_;
};

/// What was found in all files together.
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

  /// 65 for any error; where all that is wrong is files that cannot be read, the first one's own.
  int exit_status(bool strict) const {
    if (errors > 0 && errors == unreadable) return cli::exit_status(why_unreadable);
    return errors > 0 || (strict && warnings > 0) ? kExitData : kExitOk;
  }
};

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
    throw Error(Code::kUsage, "there is no file to check", "give app files");
  check_allowed(command.allowed);
  Linter linter(invocation, command);
  Tally tally;
  boost::json::array rows;
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
  if (tally.unknown_resource) tell_unusable_manifests(invocation);
  say(LogLevel::kInfo,
      fmt::format("{}: {}, {}", counted(command.files.size(), "file"),
                  counted(tally.errors, "error"), counted(tally.warnings, "warning")));
  return tally.exit_status(command.strict);
}

}  // namespace slipway::cli
