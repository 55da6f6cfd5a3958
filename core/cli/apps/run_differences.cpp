#include "core/cli/apps/run_differences.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "sdk/support/joined.hpp"
#include "sdk/support/value_text.hpp"

namespace slipway::cli {

namespace {

/// Variables that shells change all the time, so their presence means nothing.
constexpr std::array<std::string_view, 4> kShellVariables{"OLDPWD", "PWD", "SHLVL", "_"};
constexpr std::size_t kMaxNames = 10;  // variables that a line names

/// Collects a line for each difference between two runs.
class Differences {
 public:
  std::vector<std::string> lines;

  /// Adds a line if both texts are known and differ.
  void compare(const std::string& what, const std::string& before, const std::string& now) {
    if (before.empty() || now.empty() || before == now) return;
    lines.push_back(fmt::format("{} was {}, and is {}", what, before, now));
  }

  void compare_plugins(const RunRecord& before, const RunRecord& now) {
    for (const RecordedPlugin& plugin : now.plugins) {
      const auto same = std::find_if(before.plugins.begin(), before.plugins.end(),
                                     [&](const auto& other) { return other.id == plugin.id; });
      if (same == before.plugins.end()) continue;
      compare("the version of " + plugin.id, same->version, plugin.version);
      const bool are_known = !same->sha256.empty() && !plugin.sha256.empty();
      if (are_known && same->version == plugin.version && same->sha256 != plugin.sha256)
        lines.push_back("the library of " + plugin.id + " is another file of the same version");
    }
  }

  void compare_git(const RunRecord& before, const RunRecord& now) {
    compare("the git revision", before.git_revision, now.git_revision);
    if (before.git_dirty.value_or(false))
      lines.push_back("files differed from the git revision then; the changes are not recorded");
    if (now.git_dirty.value_or(false)) lines.push_back("files differ from the git revision now");
  }

  void compare_options(const RunRecord& before, const RunRecord& now) {
    for (const RecordedOption& option : now.options) {
      for (const RecordedOption& other : before.options) {
        if (other.name == option.name && other.value != option.value)
          compare("the run option " + option.name, option_text(other.value),
                  option_text(option.value));
      }
    }
  }

  void compare_variables(const StrList& before, const StrList& now) {
    if (before.empty() || now.empty()) return;
    name_variables("the environment lacks", missing(before, now));
    name_variables("the environment also has", missing(now, before));
  }

 private:
  static std::string option_text(const Value& value) {
    const std::string text = to_text(value);
    return text.empty() ? "''" : text;
  }

  /// Returns the names that `others` lacks, except those of kShellVariables. Both lists are sorted.
  static StrList missing(const StrList& names, const StrList& others) {
    StrList out;
    std::set_difference(names.begin(), names.end(), others.begin(), others.end(),
                        std::back_inserter(out));
    const auto is_ignored = [](const std::string& name) {
      return std::find(kShellVariables.begin(), kShellVariables.end(), name) !=
             kShellVariables.end();
    };
    out.erase(std::remove_if(out.begin(), out.end(), is_ignored), out.end());
    return out;
  }

  void name_variables(const std::string& what, const StrList& names) {
    if (!names.empty()) lines.push_back(what + " " + joined_first(names, kMaxNames));
  }
};

}  // namespace

std::vector<std::string> run_differences(const RunRecord& before, const RunRecord& now) {
  Differences out;
  out.compare("the version of Slipway", before.slipway_version, now.slipway_version);
  out.compare_plugins(before, now);
  out.compare("the machine", before.host, now.host);
  out.compare("the working directory", before.directory, now.directory);
  out.compare_git(before, now);
  out.compare_options(before, now);
  out.compare_variables(before.environment, now.environment);
  return std::move(out.lines);
}

}  // namespace slipway::cli
