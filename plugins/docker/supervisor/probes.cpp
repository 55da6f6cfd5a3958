#include "plugins/docker/supervisor/probes.hpp"

#include <algorithm>
#include <set>

namespace slipway::docker {

void Probes::update(const AppRules& rules, const AppProgress& progress) {
  if (role_probes_.empty()) {
    for (const RoleInApp& role : rules.roles) role_probes_.push_back(role.ready);
  }
  std::set<std::string> running;
  for (const ReplicaProgress& replica : progress.replicas()) {
    const Container& container = replica.current();
    const rules::ReadyProbe& probe = role_probes_[replica.role];
    const bool is_probed = probe.kind != rules::ReadyProbe::Kind::kNone &&
                           container.status == "running" && container.mark == Mark::kNone;
    if (!is_probed || ready_.contains(container.id)) continue;
    running.insert(container.id);
    since_.try_emplace(container.id, Clock::now());
    probes_.try_emplace(container.id, probe, container, rules);
  }
  for (auto one = probes_.begin(); one != probes_.end();)
    one = running.count(one->first) != 0 ? std::next(one) : probes_.erase(one);
}

std::chrono::nanoseconds Probes::time_since_first_probe(const std::string& id) const {
  const auto begun = since_.find(id);
  return begun != since_.end() ? Clock::now() - begun->second : std::chrono::nanoseconds(0);
}

void Probes::add_to(std::vector<pollfd>& fds) const {
  for (const auto& [id, probe] : probes_) {
    if (probe.fd() >= 0) fds.push_back({probe.fd(), probe.events(), 0});
  }
}

Probes::Clock::time_point Probes::due() const {
  auto out = Clock::time_point::max();
  for (const auto& [id, probe] : probes_) out = std::min(out, probe.due());
  return out;
}

bool Probes::advance() {
  bool has_news = false;
  for (auto& [id, probe] : probes_) {
    if (!probe.is_ready() && (probe.fd() >= 0 || probe.due() <= Clock::now()))
      probe.advance(engine_);
    if (!probe.is_ready()) continue;
    ready_.add(id);
    has_news = true;
  }
  for (auto one = probes_.begin(); one != probes_.end();)
    one = one->second.is_ready() ? probes_.erase(one) : std::next(one);
  return has_news;
}

}  // namespace slipway::docker
