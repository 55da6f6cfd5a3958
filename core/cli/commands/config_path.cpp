// `config path`: prints the places of configuration files, and whether each is read.
#include "core/cli/commands/commands.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

int config_path(Invocation& invocation, const ConfigCommand&) {
  const config::Loaded loaded = load_configuration(invocation.options());
  boost::json::array files;
  std::vector<std::vector<std::string>> rows{{"ORIGIN", "STATE", "FILE"}};
  for (const config::Source& source : loaded.sources) {
    const std::string state = to_string(source.state);
    files.push_back(boost::json::object{{"path", source.path},
                                        {"origin", to_string(source.layer)},
                                        {"state", state},
                                        {"why", text_or_null(source.why)}});
    rows.push_back({to_string(source.layer), state, source.path});
    if (source.why.starts_with(visible_line(source.path) + ":")) {
      say(LogLevel::kWarning, source.why);  // it names the place; the file may be used in part
    } else if (!source.why.empty()) {
      say(LogLevel::kWarning, source.path + " is not used: " + source.why);
    }
  }
  if (invocation.json()) {
    write_json(boost::json::object{{"files", std::move(files)}});
  } else {
    write_output(text_table(rows));
  }
  return kExitOk;
}

}  // namespace slipway::cli
