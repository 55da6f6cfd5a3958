// op=split separates the words after the options of `run` into a component and its arguments, and
// finds repeated ones. op=stdin reads JSON run arguments.

#include "core/components/argument_words.hpp"
#include "core/components/component_call.hpp"
#include "core/components/run_request.hpp"
#include "slipway/error.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/argument_json.hpp"

namespace slipway::vectors {
namespace {

// Returns a component with every option that the words use before `--`, and a variadic rest: TorchX
// splits the words without knowing the component.
ComponentInfo permissive(const StrList& words) {
  ComponentInfo info;
  info.name = "component";
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word.size() < 2 || word.front() != '-') continue;
    ComponentParam& param = info.params.emplace_back();
    param.name = word.substr(word.find_first_not_of('-'));
    param.name.resize(std::min(param.name.find('='), param.name.size()));
  }
  ComponentParam& rest = info.params.emplace_back();
  rest.name = "args";
  rest.type = ValueType::kList;
  rest.variadic = true;
  return info;
}

void refuse_repeated(const StrList& words) {
  const ComponentInfo info = permissive(words);
  const components::ArgumentWords separated = components::separate_words(info, words);
  if (const StrList names = components::repeated_params(separated); !names.empty())
    throw Error(Code::kUsage, "--" + names.front() + " is given more than once");
}

json::value split(const json::object& input) {
  std::string fallback;
  if (input.contains("config_component")) fallback = text_member(input, "config_component");
  const components::ComponentCall call =
      components::split_call(texts(member(input, "args")), fallback);
  refuse_repeated(call.args);
  return json::object{{"component", call.component}, {"args", json::value_from(call.args)}};
}

json::object values_json(const Dict<Value>& values) {
  json::object out;
  for (const auto& [key, value] : values) out[key] = from_value(value);
  return out;
}

json::value from_stdin(const json::object& input) {
  const components::RunRequest got =
      components::parse_run_request(json::serialize(member(input, "json")), "stdin");
  return json::object{
      {"component_name", got.component_name},
      {"scheduler", got.scheduler},
      {"scheduler_args", values_json(got.scheduler_args)},
      {"scheduler_cfg", values_json(got.scheduler_cfg)},
      {"dryrun", got.dryrun},
      {"wait", got.wait},
      {"log", got.log},
      {"workspace", got.workspace.empty() ? "<CWD>" : got.workspace},
      {"parent_run_id", got.parent_run_id.empty() ? json::value() : json::value(got.parent_run_id)},
      {"tee_logs", got.tee_logs},
      {"component_args", values_json(got.component_args)},
      {"component_args_str", json::value_from(got.component_args_str)}};
}

}  // namespace

json::value run_cli_component_args(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  if (op == "split") return split(one.input);
  if (op == "stdin") return from_stdin(one.input);
  throw BenchError("unknown op " + op);
}

}  // namespace slipway::vectors
