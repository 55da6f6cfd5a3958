#include "core/cli/output/run_record_text.hpp"

#include <fmt/core.h>

#include "sdk/support/joined.hpp"
#include "sdk/support/shell_words.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

std::string comment(const std::string& key, const std::string& value) {
  return value.empty() ? "" : fmt::format("# {:<12} {}\n", key + ":", visible_line(value));
}

std::string git_text(const RunRecord& record) {
  if (record.git_revision.empty()) return {};
  const char* state = !record.git_dirty   ? ""
                      : *record.git_dirty ? ", and files differed from it"
                                          : ", with all files as in it";
  return record.git_revision + state;
}

}  // namespace

std::string run_record_text(const RunRecord& record) {
  std::string out = "\n" + comment("command", "slipway " + shell_joined(record.command_line)) +
                    comment("directory", record.directory) + comment("machine", record.host) +
                    comment("git", git_text(record)) + comment("slipway", record.slipway_version);
  for (const RecordedPlugin& plugin : record.plugins) {
    out += comment("plug-in",
                   fmt::format("{} {} sha256 {}", plugin.id, plugin.version, plugin.sha256));
  }
  if (record.workspace) {
    out += comment("workspace", fmt::format("{}, copied to {}", record.workspace->source,
                                            record.workspace->image));
  }
  for (const RecordedOption& option : record.options) {
    out += comment("run option", fmt::format("{} = {} ({})", option.name, json_text(option.value),
                                             option.origin));
  }
  return out + comment("variables", joined(record.environment, " "));
}

}  // namespace slipway::cli
