#include "plugins/local/engine/plan_needs_codec.hpp"

namespace slipway::local {
namespace {

void write_probe(PlanWriter& out, const ReadyProbe& probe) {
  out.number(static_cast<std::uint8_t>(probe.kind));
  out.text(probe.address);
  out.text(probe.port_name);
  out.number(probe.port);
  out.number(static_cast<std::uint64_t>(probe.command.size()));
  for (const std::string& word : probe.command) out.text(word);
  out.text(probe.pattern);
  out.number(probe.interval_ms);
  out.number(probe.timeout_ms);
  out.number(probe.within_ms);
}

ReadyProbe read_probe(PlanReader& in) {
  ReadyProbe probe;
  probe.kind = in.one_of(ReadyProbe::Kind::kLog);
  probe.address = in.text();
  probe.port_name = in.text();
  probe.port = in.number<std::uint16_t>();
  probe.command.resize(in.count(8));
  for (std::string& word : probe.command) word = in.text();
  probe.pattern = in.text();
  probe.interval_ms = in.number<std::int64_t>();
  probe.timeout_ms = in.number<std::int64_t>();
  probe.within_ms = in.number<std::int64_t>();
  return probe;
}

}  // namespace

void write_needs(PlanWriter& out, const ReplicaNeeds& needs) {
  out.number(needs.gpus);
  out.number(static_cast<std::uint8_t>(needs.limits.enforce));
  out.number(needs.limits.memory_bytes);
  out.number(needs.limits.cpus);
  out.number(static_cast<std::uint64_t>(needs.mounts.size()));
  for (const BindMount& mount : needs.mounts) {
    out.text(mount.src);
    out.text(mount.dst);
    out.number(static_cast<std::uint8_t>(mount.read_only));
  }
  out.number(static_cast<std::uint64_t>(needs.after.size()));
  for (const Dependency& one : needs.after) {
    out.text(one.role);
    out.number(static_cast<std::uint8_t>(one.until));
  }
  write_probe(out, needs.ready);
}

ReplicaNeeds read_needs(PlanReader& in) {
  ReplicaNeeds needs;
  needs.gpus = in.number<std::int32_t>();
  needs.limits.enforce = in.one_of(Enforce::kCgroup);
  needs.limits.memory_bytes = in.number<std::int64_t>();
  needs.limits.cpus = in.number<std::int32_t>();
  needs.mounts.resize(in.count(17));
  for (BindMount& mount : needs.mounts) {
    mount.src = in.text();
    mount.dst = in.text();
    mount.read_only = in.flag();
  }
  needs.after.resize(in.count(9));
  for (Dependency& one : needs.after) {
    one.role = in.text();
    one.until = in.one_of(Dependency::Until::kHealthy);
  }
  needs.ready = read_probe(in);
  return needs;
}

}  // namespace slipway::local
