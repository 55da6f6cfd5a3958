#include "plugins/local/scheduler/needs_text.hpp"

#include <cstdint>

#include "plugins/local/engine/seconds_text.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::local {

namespace {

std::string line(const std::string& text) { return "  " + text + "\n"; }

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string limits_text(const Limits& limits) {
  constexpr std::int64_t kMegabyte = 1024 * 1024;
  std::string out;
  if (limits.memory_bytes > 0) out = std::to_string(limits.memory_bytes / kMegabyte) + " MB";
  if (limits.cpus > 0) out += (out.empty() ? "" : " and ") + counted(limits.cpus, "CPU");
  if (out.empty() || limits.enforce == Enforce::kNone) return {};
  return line(
      "uses: at most " + out +
      (limits.enforce == Enforce::kCgroup ? ", held by a cgroup" : ", each of its processes"));
}

std::string dependency_text(const Dependency& dependency) {
  switch (dependency.until) {
    case Dependency::Until::kStarted: return dependency.role + " has started";
    case Dependency::Until::kSucceeded: return dependency.role + " has succeeded";
    case Dependency::Until::kHealthy: break;
  }
  return dependency.role + " is healthy";
}

std::string question(const ReadyProbe& probe) {
  if (probe.kind == ReadyProbe::Kind::kLog) return "a line that it writes matches " + probe.pattern;
  if (probe.kind == ReadyProbe::Kind::kTcp) {
    const std::string port =
        probe.port_name.empty() ? std::to_string(probe.port) : '"' + probe.port_name + '"';
    return "it takes connections at port " + port +
           (probe.address.empty() ? "" : " of " + probe.address);
  }
  return '`' + shell_joined(probe.command) + "` succeeds";
}

std::string probe_text(const ReadyProbe& probe) {
  if (probe.kind == ReadyProbe::Kind::kNone) return {};
  return line(
      "ready when " + question(probe) + "; asked every " + seconds_text(probe.interval_ms) + " s" +
      (probe.within_ms == 0 ? ""
                            : ", stopped if not within " + seconds_text(probe.within_ms) + " s"));
}

}  // namespace

std::string needs_text(const LaunchGroup& group) {
  const ReplicaNeeds& needs = group.needs;
  std::string out;
  if (needs.gpus > 0) out += line("uses: " + counted(needs.gpus, "GPU") + " of its own");
  out += limits_text(needs.limits);
  for (const BindMount& mount : needs.mounts) {
    out += line("sees: " + mount.src + " as " + mount.dst + (mount.read_only ? ", read only" : ""));
  }
  for (const Dependency& dependency : needs.after)
    out += line("waits until " + dependency_text(dependency));
  return out + probe_text(needs.ready);
}

}  // namespace slipway::local
