#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "plugins/components/builtins/torchrun_job.hpp"

namespace slipway::builtins {

namespace {

AppDef build_dist_ddp(const BuildRequest& request) {
  const Cfg& args = request.args;
  const Rendezvous rendezvous = {args.text("rdzv_backend"), given_text(args, "rdzv_conf"),
                                 args.integer("rdzv_port")};
  return torchrun_job(args, args.list("script_args"), parse_node_range(args.text("j")), rendezvous,
                      args.integer("tee"), requested_resource(request));
}

}  // namespace

Builtin dist_ddp() {
  std::vector<ComponentParam> params = program_params();
  for (ComponentParam& param : resource_params(2)) params.push_back(std::move(param));
  for (ComponentParam& param : std::vector<ComponentParam>{
           defaulted_param("j", std::string("1x2"),
                           "[MIN:]NODESxPROCESSES, or PROCESSES on one node; with GPUs at most one "
                           "process for each"),
           env_param(), retries_param(),
           defaulted_param("rdzv_port", std::int64_t{29500},
                           "the port on the first replica's host where several nodes meet"),
           defaulted_param("rdzv_backend", std::string("c10d"),
                           "how several nodes find each other"),
           optional_param("rdzv_conf", ValueType::kStr,
                          "options of the rendezvous: join_timeout=600,close_timeout=600"),
           mounts_param(), debug_param(),
           defaulted_param(
               "tee", std::int64_t{3},
               "output of the processes that is shown in addition to their files: 0 none, 1 "
               "stdout, 2 stderr, 3 both"),
           rest_param("script_args", "arguments of the script or module")}) {
    params.push_back(std::move(param));
  }
  return {{"dist.ddp",
           "Runs a distributed PyTorch program with torchrun: one role, one replica per node.",
           std::move(params)},
          &build_dist_ddp};
}

}  // namespace slipway::builtins
