#include "plugins/components/arguments/host_processes.hpp"
#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/torchrun_job.hpp"
#include "slipway/hosted_resources.hpp"

namespace slipway::builtins {

namespace {

constexpr std::int64_t kTeeBoth = 3;  // stdout and stderr, as `--tee` of dist.ddp

void warn_unless_process_per_gpu(const BuildRequest& request, const std::string& host,
                                 std::int32_t gpus, const HostProcesses& processes) {
  if (processes.processes == gpus) return;
  request.host.log(LogLevel::kWarning,
                   "-j " + to_string(processes) + " starts " + std::to_string(processes.processes) +
                       " processes on each " + host + ", which has " + std::to_string(gpus) +
                       " GPUs; -j " + std::to_string(processes.nodes) +
                       " would start one for each GPU");
}

AppDef build_dist_spmd(const BuildRequest& request) {
  const Cfg& args = request.args;
  const std::string host = args.text("h");
  Resource resource = named_resource(request.host, host, request.call);
  const HostProcesses processes = parse_host_processes(host, resource.gpu, args.text("j"));
  const NodeRange nodes = parse_node_range(to_string(processes));
  if (resource.gpu > 0) warn_unless_process_per_gpu(request, host, resource.gpu, processes);
  return torchrun_job(args, args.list("args"), nodes, Rendezvous(), kTeeBoth, std::move(resource));
}

}  // namespace

Builtin dist_spmd() {
  std::vector<ComponentParam> params = program_params();
  for (ComponentParam& param : std::vector<ComponentParam>{
           defaulted_param("h", std::string("gpu.small"), "the named resource of each node"),
           defaulted_param("j", std::string("1x1"),
                           "NODESxPROCESSES, or NODES alone for a process per GPU of the resource"),
           env_param(), retries_param(), mounts_param(), debug_param(),
           rest_param("args", "arguments of the script or module")}) {
    params.push_back(std::move(param));
  }
  return {{"dist.spmd",
           "Runs a distributed PyTorch program on nodes of a named resource, a process per GPU.",
           std::move(params)},
          &build_dist_spmd};
}

}  // namespace slipway::builtins
