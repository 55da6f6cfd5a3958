#include "core/cli/apps/cfg_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

std::vector<std::string> names_of(const RunOpts& declared) {
  std::vector<std::string> out;
  for (const RunOpt& option : declared) out.push_back(option.name);
  return out;
}

/// Returns another scheduler that declares the option, or an empty text.
std::string other_scheduler_with(const std::vector<SchedulerAnswer<RunOpts>>& others,
                                 const std::string& option) {
  const std::string name = option.substr(0, option.find('.'));  // `dict.key` sets an entry
  for (const auto& other : others) {
    if (!other.error && other.answer.get(name) != nullptr) return other.scheduler;
  }
  return {};
}

std::string hint_for(const std::string& scheduler, const RunOpts& declared,
                     const std::vector<std::string>& misspelt) {
  if (misspelt.size() == 1) {
    const std::string near = spec::did_you_mean(misspelt.front(), names_of(declared));
    if (!near.empty()) return near;
  }
  return fmt::format("`slipway runopts {}` lists its run options", scheduler);
}

/// Prints a warning for each unknown option that another scheduler has. Throws Error kInvalid if
/// there are any others.
void report_unknown(Invocation& invocation, const std::string& scheduler, const RunOpts& declared,
                    const std::vector<std::string>& unknown) {
  std::vector<std::string> names = invocation.runner().scheduler_backends();
  names.erase(std::remove(names.begin(), names.end(), scheduler), names.end());
  const auto others = invocation.runner().run_opts_of(names);
  std::vector<std::string> misspelt;
  for (const std::string& option : unknown) {
    const std::string other = other_scheduler_with(others, option);
    if (other.empty()) {
      misspelt.push_back(option);
    } else {
      say(LogLevel::kWarning, fmt::format("{} ignores the run option {}, which {} has", scheduler,
                                          spec::quoted(option), other));
    }
  }
  if (misspelt.empty()) return;
  std::string message;
  for (const std::string& option : misspelt) {
    message += fmt::format("{}{} has no run option {}", message.empty() ? "" : "\n", scheduler,
                           spec::quoted(option));
  }
  throw Error(Code::kInvalid, std::move(message), hint_for(scheduler, declared, misspelt));
}

}  // namespace

Dict<Value> options_from_words(Invocation& invocation, const std::string& scheduler,
                               const RunOpts& declared, const std::vector<std::string>& texts,
                               const Dict<Value>& other_options) {
  Dict<Value> out;
  Dict<Value> all = other_options;
  std::vector<std::string> unknown;
  for (const std::string& text : texts) {
    ParsedOptions parsed = parse_options(declared, text, all);
    for (const std::string& warning : parsed.warnings) say(LogLevel::kWarning, warning);
    for (auto& [key, value] : parsed.values) {
      set(all, key, value);
      set(out, key, std::move(value));
    }
    unknown.insert(unknown.end(), parsed.unknown.begin(), parsed.unknown.end());
  }
  if (!unknown.empty()) report_unknown(invocation, scheduler, declared, unknown);
  return out;
}

}  // namespace slipway::cli
