// The list by what stand-ins for sacct and squeue answer. TorchX leaves names out where sacct answers; Slipway's are not
// compared there. Handles are the host's to make.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/slurm_case.hpp"

namespace slipway::vectors {

json::value run_slurm_list(VectorCase& one, Bench& bench) {
  const SlurmCase slurm(one);
  slurm.install_answer("sacct");
  slurm.install_answer("squeue");
  const registry::AdoptedScheduler scheduler = slurm.scheduler(bench);
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
