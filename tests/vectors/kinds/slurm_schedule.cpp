// Submits through a fake sbatch: its arguments, and the id made from its output.

#include <filesystem>
#include <fstream>

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/slurm_case.hpp"

namespace slipway::vectors {
namespace {

/// The path of TorchX's script. Slipway's script is in the job's record.
constexpr const char* kScript = "<TMPDIR>/torchx-sbatch.sh";

json::array lines_of(const std::string& path) {
  json::array out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) out.emplace_back(without_mark(line));
  return out;
}

}  // namespace

json::value run_slurm_schedule(VectorCase& one, Bench& bench) {
  const SlurmCase slurm(one);
  slurm.install("sbatch", "printf '%s\\n' \"$@\" >" + slurm.path("argv") + "\n" +
                              text_member(one.input, "sbatch_behaviour"));
  slurm.install("squeue", "echo '{\"jobs\": []}'");
  const registry::PluginScheduler scheduler = slurm.scheduler(bench);
  const AppRequest request = slurm.request(scheduler);
  const std::string id = scheduler.schedule(request, {}).app_id;
  json::array argv = lines_of(slurm.path("argv"));
  if (argv.empty() || !std::filesystem::is_regular_file(std::string(argv.back().as_string())))
    throw BenchError("sbatch was given no script");
  argv.back() = kScript;
  if (one.expected) {
    for (const char* key : {"script_header", "torchxslurmjobdirs", "script_left_in_job_dir"})
      one.expected->as_object().erase(key);
  }
  return json::object{{"job_id", id}, {"sbatch_argv", std::move(argv)}};
}

}  // namespace slipway::vectors
