// `resource check FILE`: everything that is wrong with a file before it is put into resources.d.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/error_position.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/parser/site_commands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::cli {

namespace {

using registry::InlineResource;

std::string absolute_file(const std::string& given) {
  if (::access(given.c_str(), F_OK) != 0) {
    throw Error(errno == EACCES ? Code::kDenied : Code::kNotFound,
                given + " cannot be checked: " + std::strerror(errno));
  }
  return std::filesystem::absolute(given).lexically_normal().string();
}

/// The file as it would be with the highest precedence among everything else that is there.
class Check {
 public:
  Check(const Invocation& invocation, std::string file)
      : file_(std::move(file)), invocation_(options(invocation), invocation.config()) {}

  std::vector<spec::Problem> problems() {
    registry::Registry& registry = invocation_.runner().plugins().registry();
    for (const spec::Problem& problem : registry.problems()) {
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
  GlobalOptions options(const Invocation& invocation) const {
    GlobalOptions out = invocation.options();
    out.plugin_path.insert(out.plugin_path.begin(), file_);
    return out;
  }

  void check(const InlineResource& resource) {
    ++resources_;
    for (const registry::ResourceVariant& variant : resource.variants) {
      // one that is nearly spelt as a scheduler is among the problems of the file
      if (knows(variant.scheduler) || spec::near_name(variant.scheduler, schedulers_)) continue;
      warn(variant.source, "there is no scheduler " + spec::quoted(variant.scheduler) + " here",
           "what stands in this table counts on that scheduler alone");
    }
    const std::size_t dot = resource.name.rfind('.');
    if (dot != std::string::npos && knows(resource.name.substr(dot + 1))) {
      warn(resource.source, "this is a resource called " + spec::quoted(resource.name),
           "for what " + spec::quoted(resource.name.substr(0, dot)) + " is on the scheduler " +
               spec::quoted(resource.name.substr(dot + 1)) +
               ", write the resource itself into this file, too (`inherits` will do)");
    }
    if (resource.error) return;  // among the problems of the file
    const resources::ResourceEntry entry = invocation_.resources().entry(resource.name);
    if (entry.error) {
      found_.push_back({spec::Severity::kError,
                        error_position(*entry.error),
                        {},
                        entry.error->message(),
                        entry.error->hint(),
                        entry.error->code()});
    }
  }

  bool knows(const std::string& scheduler) const {
    return std::find(schedulers_.begin(), schedulers_.end(), scheduler) != schedulers_.end();
  }

  void warn(const spec::Position& where, std::string message, std::string hint) {
    found_.push_back(
        {spec::Severity::kWarning, where, {}, std::move(message), std::move(hint), Code::kConfig});
  }

  const std::string file_;
  Invocation invocation_;
  std::vector<std::string> schedulers_;
  std::vector<spec::Problem> found_;
  std::size_t resources_ = 0;
};

}  // namespace

int resource_check(Invocation& invocation, const ResourceCheckCommand& command) {
  Check check(invocation, absolute_file(command.file));
  boost::json::array rows;
  std::string lines;
  std::size_t errors = 0;
  for (const spec::Problem& problem : check.problems()) {
    errors += problem.severity == spec::Severity::kError ? 1 : 0;
    rows.push_back(problem_json(problem));
    lines += spec::to_string(problem) + "\n";
  }
  if (invocation.json()) {
    write_json(rows);
  } else {
    write_output(lines);
  }
  say(LogLevel::kInfo, fmt::format("{}: resources: {}, errors: {}, warnings: {}", command.file,
                                   check.resources(), errors, rows.size() - errors));
  return errors > 0 ? kExitData : kExitOk;
}

}  // namespace slipway::cli
