// The parts of a job in TorchX's form. The script is Slipway's own and is tested by unit tests.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/slurm_case.hpp"

namespace slipway::vectors {

namespace {

/// TorchX lets Slurm requeue every job, Slipway only jobs with retries (core/docs/torchx.md).
void as_torchx_requeues(json::object& replicas, std::int64_t max_retries) {
  if (max_retries > 0) return;
  for (auto& replica : replicas) {
    json::object& options = replica.value().as_object().at("sbatch_opts").as_object();
    json::object renamed;
    for (const auto& option : options) {
      const bool is_no_requeue = option.key() == "no-requeue";
      renamed[is_no_requeue ? json::string_view("requeue") : option.key()] = option.value();
    }
    options = std::move(renamed);
  }
}

}  // namespace

json::value run_slurm_dryrun(VectorCase& one, Bench& bench) {
  const SlurmCase slurm(one);
  const json::value* version = one.input.if_contains("sinfo_version");
  const json::value* partitions = one.input.if_contains("sinfo_partitions");
  const auto answer = [&](const json::value* value, const std::string& name) {
    if (value == nullptr || value->is_null()) return std::string("exit 1");
    slurm.install_output(name, std::string(value->as_string()), 0);
    return "exec " + slurm.path("bin/" + name);
  };
  slurm.install("sinfo", "if [ \"$1\" = --version ]; then " + answer(version, "sinfo-version") +
                             "; fi\n" + answer(partitions, "sinfo-partitions"));
  const registry::PluginScheduler scheduler = slurm.scheduler(bench);
  const json::value printed = json::parse(slurm.request(scheduler).json());
  json::object got;
  for (const char* key : {"cmd", "max_retries", "job_dir", "replicas"})
    got[key] = member(printed.as_object(), key);
  for (json::value& word : got["cmd"].as_array())
    word = without_mark(std::string(word.as_string()));
  as_torchx_requeues(got["replicas"].as_object(), got["max_retries"].to_number<std::int64_t>());
  if (one.expected) {
    one.expected->as_object().erase("script");
    one.expected->as_object().erase("repr");
  }
  return got;
}

}  // namespace slipway::vectors
