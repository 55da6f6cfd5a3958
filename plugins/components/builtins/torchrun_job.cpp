#include "plugins/components/builtins/torchrun_job.hpp"

#include <string>
#include <utility>

#include "plugins/components/arguments/run_name.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/error.hpp"

namespace slipway::builtins {

namespace {

// Returns the program to run. parse_run_name() refuses one that is given and empty.
MainProgram main_program(const Cfg& args) {
  MainProgram out = {given_text(args, "script"), given_text(args, "m")};
  if (out.script.has_value() == out.module.has_value()) {
    throw Error(Code::kInvalid,
                out.script ? "both a script and a module are given" : "there is no program to run",
                "give either --script PATH or -m MODULE");
  }
  return out;
}

// Builds a command line for bash, word by word.
class Command {
 public:
  Command& word(std::string_view text) { return raw(shell_quoted(text)); }
  Command& option(std::string_view name, std::string_view value) { return raw(name).word(value); }
  // Adds text that bash expands.
  Command& raw(std::string_view text) {
    if (!line_.empty()) line_ += ' ';
    line_ += text;
    return *this;
  }
  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

std::string command_line(const MainProgram& program, const StrList& words, const NodeRange& nodes,
                         const Rendezvous& rendezvous, std::int64_t tee) {
  // A job on one node needs no address of another node; port 0 selects a free port.
  const bool one_node = nodes.max_nodes == 1;
  const std::string backend = one_node ? "c10d" : rendezvous.backend;
  Command command;
  command.raw("torchrun").option("--rdzv_backend", backend);
  if (rendezvous.conf) command.option("--rdzv_conf", *rendezvous.conf);
  command.raw("--rdzv_endpoint");
  if (one_node) {
    command.raw("localhost:0");
  } else {
    // ${rank0_env} is the name of the variable with the first replica's host, and $$ a dollar sign,
    // so bash reads ${NAME:=localhost}. The default is needed because some schedulers do not set
    // the variable in the first replica itself.
    command.raw("$${${rank0_env}:=localhost}:" + std::to_string(rendezvous.port));
  }
  command.option("--rdzv_id", "${app_id}")
      .option("--nnodes", nodes.nodes_text)
      .option("--nproc_per_node", std::to_string(nodes.processes))
      .option("--tee", std::to_string(tee))
      .option("--role", "");  // starts lines of output with "[0]:" instead of "[default0]:"
  // The other backends assign the ranks of nodes themselves.
  if (backend == "static") command.option("--node_rank", "${replica_id}");
  if (program.script) {
    command.word(*program.script);
  } else {
    command.option("-m", *program.module);
  }
  for (const std::string& word : words) command.word(word);
  return command.line();
}

StrDict environment(const Cfg& args, const RunName& name) {
  StrDict env = args.dict("env");
  if (find(env, "TORCHX_TRACKING_EXPERIMENT_NAME") == nullptr)
    set(env, "TORCHX_TRACKING_EXPERIMENT_NAME", name.experiment);
  if (find(env, "TORCHX_TRACKING_RUN_NAME") == nullptr)
    set(env, "TORCHX_TRACKING_RUN_NAME", name.run);
  add_log_level(env);
  if (args.boolean("debug")) {
    for (const auto& [key, value] : StrDict{{"CUDA_LAUNCH_BLOCKING", "1"},
                                            {"NCCL_DESYNC_DEBUG", "1"},
                                            {"TORCH_DISTRIBUTED_DEBUG", "DETAIL"},
                                            {"TORCH_SHOW_CPP_STACKTRACES", "1"}}) {
      set(env, key, value);
    }
  }
  return env;
}

}  // namespace

std::vector<ComponentParam> program_params() {
  return {optional_param("script", ValueType::kStr, "the script to run, a path in the image"),
          optional_param("m", ValueType::kStr, "the Python module to run, instead of a script"),
          image_param(),
          defaulted_param(
              "name", std::string("/"),
              "EXPERIMENT/RUN, EXPERIMENT/, /RUN or RUN; the default RUN is the name of the "
              "script or module")};
}

ComponentParam debug_param() {
  return defaulted_param("debug", false, "set the variables that make PyTorch and NCCL log more");
}

AppDef torchrun_job(const Cfg& args, const StrList& words, const NodeRange& nodes,
                    const Rendezvous& rendezvous, std::int64_t tee, Resource resource) {
  const MainProgram program = main_program(args);
  RunName name = parse_run_name(args.text("name"), program);
  // The app's id, which starts with the name, replaces ${app_id} inside quotes of the shell
  // command.
  if (name.run.find('\'') != std::string::npos) {
    throw Error(Code::kInvalid, "the app's name has a quote: " + name.run,
                "give another one: --name RUN");
  }
  Role role(role_name(program));
  role.runs("bash", {"-c", command_line(program, words, nodes, rendezvous, tee)})
      .on(args.text("image"))
      .replicas(nodes.max_nodes)
      .retries(count(args, "max_retries"))
      .require(std::move(resource))
      .port("c10d", rendezvous.port);
  role.min_replicas = nodes.min_nodes;
  role.env = environment(args, name);
  role.mounts = mounts(args);
  return app_of(std::move(name.run), std::move(role));
}

}  // namespace slipway::builtins
