#include <boost/json.hpp>

#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/components/component_help.hpp"
#include "core/runner/run_record_json.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

json::object component_json(const components::Component& component) {
  json::array params;
  for (const ComponentParam& param : component.info.params) {
    params.push_back(json::object{{"name", param.name},
                                  {"short", text_or_null(param.short_name)},
                                  {"type", to_string(param.type)},
                                  {"default", value_json(param.default_value)},
                                  {"required", param.required},
                                  {"variadic", param.variadic},
                                  {"help", param.help}});
  }
  json::object sweep;
  for (const components::SweptParam& param : component.sweep)
    sweep[param.name] = json::array(param.values.begin(), param.values.end());
  return {{"help", component.info.help},
          {"params", std::move(params)},
          {"source", component.source},
          {"sweep", std::move(sweep)}};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int component_list(Invocation& invocation) {
  components::ComponentBook& book = invocation.components();
  json::object document;
  std::vector<std::vector<std::string>> rows = {{"NAME", "SOURCE", "HELP"}};
  for (const auto& [name, component] : book.all()) {
    document[name] = component_json(component);
    rows.push_back({name, component.source, first_line(component.info.help)});
  }
  for (const std::string& failure : book.unavailable()) say(LogLevel::kWarning, failure);
  for (const std::string& component : book.shadowed()) say(LogLevel::kWarning, component);
  if (invocation.json()) {
    write_json(document);
  } else {
    write_output(text_table(rows));
  }
  return kExitOk;
}

int component_show(Invocation& invocation, const ComponentShowCommand& command) {
  const components::Component component = invocation.components().find(command.name);
  if (invocation.json()) {
    write_json(json::object{{component.info.name, component_json(component)}});
  } else {
    write_output(components::help_text(component.info, "slipway run", component.sweep));
    write_output("\nfrom " + component.source + "\n");
  }
  return kExitOk;
}

}  // namespace slipway::cli
