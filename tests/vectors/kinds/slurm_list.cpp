// Lists apps from the output of fake sacct and squeue. With sacct, TorchX returns no names, so
// Slipway's are not compared. Handles are not compared, because the host creates them.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/slurm_case.hpp"

namespace slipway::vectors {

namespace {

// TorchX reads JSON from squeue and sacct, Slipway reads lines. These functions convert the same
// jobs to lines.

std::string squeue_lines(const json::value& answer) {
  std::string out;
  for (const json::value& value : answer.at("jobs").as_array()) {
    const json::object& job = value.as_object();
    const auto number = [](const json::value& id) { return std::to_string(id.to_number<int>()); };
    const std::string own = number(job.at("job_id"));
    std::string id = own;
    if (const json::value* het = job.if_contains("het_job_id")) {
      const std::string leader = number(het->at("number"));
      if (het->at("set").as_bool() && leader != "0") id = leader + (leader == own ? "+0" : "+1");
    }
    out += id + "\x1f" + std::string(job.at("job_state").at(0).as_string()) + "\x1f\x1f" +
           std::string(job.at("name").as_string()) + "\x1f\n";
  }
  return out;
}

std::string sacct_lines(const json::value& answer) {
  std::string out = "JobID|JobName|State\n";
  for (const json::value& value : answer.at("jobs").as_array()) {
    const json::object& job = value.as_object();
    out += std::to_string(job.at("job_id").to_number<int>()) + "|" + text_member(job, "name") +
           "|" + std::string(job.at("state").at("current").as_string()) + "\n";
  }
  return out;
}

/// Installs a command that prints `lines` of the input's jobs, or the input's text.
void install_lines(const SlurmCase& slurm, const json::object& input, const char* command,
                   std::string (*lines)(const json::value&)) {
  const json::value* answer = input.if_contains(command);
  const json::value* jobs = answer != nullptr ? answer->as_object().if_contains("json") : nullptr;
  if (jobs != nullptr) {
    slurm.install_output(command, lines(*jobs), 0);
  } else {
    slurm.install_answer(command);
  }
}

}  // namespace

json::value run_slurm_list(VectorCase& one, Bench& bench) {
  const SlurmCase slurm(one);
  install_lines(slurm, one.input, "sacct", sacct_lines);
  install_lines(slurm, one.input, "squeue", squeue_lines);
  const registry::PluginScheduler scheduler = slurm.scheduler(bench);
  json::array out;
  for (const ListItem& item : scheduler.list()) {
    out.push_back(json::object{{"app_id", item.app_id},
                               {"state", json::string(to_string(item.state))},
                               {"name", item.name}});
  }
  if (!one.expected) return out;
  json::array& expected = one.expected->as_array();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    json::object& app = expected[i].as_object();
    app.erase("app_handle");
    if (member(app, "name") == "" && i < out.size()) app["name"] = out[i].as_object()["name"];
  }
  return out;
}

}  // namespace slipway::vectors
