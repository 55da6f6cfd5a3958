// `--name`, `-j` and the role's name of TorchX's distributed components.

#include "plugins/components/arguments/host_processes.hpp"
#include "plugins/components/arguments/main_program.hpp"
#include "plugins/components/arguments/node_range.hpp"
#include "plugins/components/arguments/run_name.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

std::optional<std::string> text_if_given(const json::object& input, std::string_view key) {
  const json::value* value = input.if_contains(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return text_member(input, key);
}

builtins::MainProgram main_program(const json::object& input) {
  return {text_if_given(input, "script"), text_if_given(input, "m")};
}

json::value run_name(const json::object& input) {
  const builtins::RunName name =
      builtins::parse_run_name(text_member(input, "name"), main_program(input));
  return json::object{{"experiment_name", name.experiment},
                      {"run_name", name.run},
                      {"str", name.experiment + "/" + name.run}};
}

json::value host_processes(const json::object& input, Bench& bench) {
  const std::string host = text_member(input, "h");
  const builtins::HostProcesses processes = builtins::parse_host_processes(
      host, bench.resources().get(host).gpu, text_member(input, "j"));
  return json::object{{"nnodes", processes.nodes},
                      {"nproc_per_node", processes.processes},
                      {"str", builtins::to_string(processes)}};
}

json::value node_range(const json::object& input) {
  const builtins::NodeRange range = builtins::parse_node_range(text_member(input, "j"));
  return json::array{range.min_nodes, range.max_nodes, range.processes,
                     json::string(range.nodes_text)};
}

}  // namespace

json::value run_structured_args(VectorCase& one, Bench& bench) {
  const std::string op = text_member(one.input, "op");
  if (op == "name") return run_name(one.input);
  if (op == "j") return host_processes(one.input, bench);
  if (op == "nnodes") return node_range(one.input);
  if (op == "role_name") return json::value(builtins::role_name(main_program(one.input)));
  throw BenchError("unknown op " + op);
}

}  // namespace slipway::vectors
