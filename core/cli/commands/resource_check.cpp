// `resource check FILE`: finds mistakes in a file of named resources before it is installed in
// resources.d.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/problem_report.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/absolute_path.hpp"

namespace slipway::cli {

namespace {

using registry::InlineResource;

std::string absolute_file(const std::string& given) {
  if (::access(given.c_str(), F_OK) != 0) {
    throw Error(errno == EACCES ? Code::kDenied : Code::kNotFound,
                given + " cannot be checked: " + std::strerror(errno));
  }
  return normal_path(absolute_path(given)).string();
}

/// Checks the file as if it were installed with the highest precedence.
class ResourceCheck {
 public:
  ResourceCheck(const Invocation& invocation, std::string file)
      : file_(std::move(file)),
        invocation_(options(invocation), invocation.config(), invocation.site()) {}

  std::vector<spec::Problem> problems() {
    std::error_code ignored;
    if (std::filesystem::is_directory(file_, ignored)) {
      return {{spec::Severity::kError,
               {file_},
               {},
               "the manifest is a directory",
               "name a file in it",
               Code::kConfig,
               {}}};
    }
    registry::Registry& registry = invocation_.runner().plugins().registry();
    for (const spec::Problem& problem : registry.problems()) {
      // A problem of the directory, such as its permissions, also concerns the file.
      if (problem.where.file == file_ ||
          problem.where.file == std::filesystem::path(file_).parent_path())
        found_.push_back(problem);
    }
    schedulers_ = registry.names(registry::Group::kSchedulers);
    for (const InlineResource& resource : registry.inline_resources()) {
      if (resource.source.file == file_) check(resource);
    }
    std::stable_sort(
        found_.begin(), found_.end(), [](const spec::Problem& a, const spec::Problem& b) {
          return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
        });
    return std::move(found_);
  }

  std::size_t resources() const { return resources_; }

 private:
  /// Returns the global options with the file as the first place of manifests, which --no-plugins
  /// does not exclude.
  GlobalOptions options(const Invocation& invocation) const {
    GlobalOptions out = invocation.options();
    out.checked_manifest = file_;
    return out;
  }

  void check(const InlineResource& resource) {
    ++resources_;
    for (const registry::ResourceVariant& variant : resource.variants) {
      // A misspelt scheduler is already among the problems of the file.
      if (knows(variant.scheduler) || spec::near_name(variant.scheduler, schedulers_)) continue;
      warn(variant.source, "there is no scheduler " + spec::quoted(variant.scheduler) + " here",
           "this table has an effect only on that scheduler");
    }
    const std::size_t dot = resource.name.rfind('.');
    if (dot != std::string::npos && knows(resource.name.substr(dot + 1))) {
      warn(resource.source, "this is a resource called " + spec::quoted(resource.name),
           "to define " + spec::quoted(resource.name.substr(0, dot)) + " for the scheduler " +
               spec::quoted(resource.name.substr(dot + 1)) +
               ", also define the resource itself in this file (`inherits` is enough)");
    }
    if (resource.error) return;  // already among the problems of the file
    const resources::ResourceEntry entry = invocation_.resources().entry(resource.name);
    if (entry.error) add(problem_of_error(*entry.error, error_position(*entry.error), {}));
  }

  /// Adds a problem, unless another resource has the same one, such as a cycle of bases.
  void add(spec::Problem problem) {
    const std::string text = spec::to_string(problem.where);
    const bool is_known =
        std::any_of(found_.begin(), found_.end(), [&](const spec::Problem& other) {
          return other.message == problem.message && spec::to_string(other.where) == text;
        });
    if (!is_known) found_.push_back(std::move(problem));
  }

  bool knows(const std::string& scheduler) const {
    return std::find(schedulers_.begin(), schedulers_.end(), scheduler) != schedulers_.end();
  }

  void warn(const spec::Position& where, std::string message, std::string hint) {
    found_.push_back(
        {spec::Severity::kWarning, where, {}, std::move(message), std::move(hint), Code::kConfig});
  }

  const std::string file_;  // before invocation_, whose options need it
  Invocation invocation_;
  std::vector<std::string> schedulers_;
  std::vector<spec::Problem> found_;
  std::size_t resources_ = 0;
};

}  // namespace

int resource_check(Invocation& invocation, const ResourceCheckCommand& command) {
  ResourceCheck check(invocation, absolute_file(command.file));
  const ProblemReport report(check.problems());
  if (invocation.json()) {
    write_json(report.rows);
  } else {
    write_output(report.lines);
  }
  say(LogLevel::kInfo,
      fmt::format("{}: resources: {}, {}", command.file, check.resources(), report.counts()));
  return report.errors > 0 ? kExitData : kExitOk;
}

}  // namespace slipway::cli
