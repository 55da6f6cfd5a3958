#include "plugins/docker/state/app_containers.hpp"

#include <algorithm>

#include "plugins/docker/state/app_description.hpp"
#include "plugins/docker/state/app_progress.hpp"

namespace slipway::docker {

std::vector<Container> list_containers(const Engine& engine, std::string_view app_id,
                                       const Call& call) {
  std::vector<Container> out = containers_in(engine.ask(list_request(app_id), call));
  // For an empty id, the request asks for all apps.
  const auto is_other = [&](const Container& one) { return one.app_id() != app_id; };
  out.erase(std::remove_if(out.begin(), out.end(), is_other), out.end());
  sort_replicas(out);
  return out;
}

void inspect(const Engine& engine, std::vector<Container>& containers, const Call& call,
             const std::function<bool(const Container&)>& selects) {
  std::vector<Container*> inspected;
  std::vector<HttpRequest> requests;
  for (Container& container : containers) {
    if (!selects(container)) continue;
    inspected.push_back(&container);
    requests.emplace_back();
    requests.back().target = "/containers/" + container.id + "/json";
  }
  const std::vector<Answer> answers = engine.ask_all(requests, call);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].status == 404) {
      inspected[i]->id.clear();
    } else {
      add_inspection(*inspected[i], answers[i]);
    }
  }
  containers.erase(std::remove_if(containers.begin(), containers.end(),
                                  [](const Container& one) { return one.id.empty(); }),
                   containers.end());
}

void inspect_for_state(const Engine& engine, std::vector<Container>& containers, const Call& call) {
  if (rules_of(containers))
    inspect(engine, containers, call, [](const Container& one) { return !one.is_live(); });
}

}  // namespace slipway::docker
