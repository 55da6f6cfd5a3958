#include "plugins/docker/request/container_plan.hpp"

#include "sdk/support/shell_words.hpp"

namespace slipway::docker {

AppPlan on_host_network(AppPlan plan) {
  plan.network = kHostNetwork;
  plan.makes_network = false;
  for (ContainerPlan& container : plan.containers) {
    container.command = container.command_on_host;
    container.env = container.env_on_host;
  }
  return plan;
}

ContainerPlan without_copied_values(ContainerPlan container) {
  for (const std::string& name : container.copied)
    set<std::string>(container.env, name, "<copied>");
  return container;
}

std::string plan_text(const AppPlan& plan, const ContainerPlan& container) {
  const auto line = [](const std::string& key, const std::string& value) {
    return "  " + key + ": " + value + "\n";
  };
  std::string out = container.name + "\n" + line("image", container.image) +
                    line("command", shell_joined(container.command)) +
                    (container.cwd.empty() ? "" : line("directory", container.cwd)) +
                    line("network", plan.network);
  for (const auto& [name, value] : container.env) out += line("env", name + "=" + value);
  for (const Mount& mount : container.mounts) {
    out += line(to_string(mount.kind),
                mount.src + " at " + mount.dst + (mount.read_only ? ", read only" : ""));
  }
  for (const Mount& device : container.devices)
    out += line("device", device.src + " at " + device.dst + ", " + device.permissions);
  for (const auto& [name, port] : container.ports)
    out += line("port", name + ", " + std::to_string(port));
  if (container.nano_cpus)
    out += line("cpus", to_string(CpuCount::of_milli(*container.nano_cpus / 1'000'000)));
  if (container.memory) out += line("memory", std::to_string(*container.memory >> 20) + " MiB");
  if (container.shm_size)
    out += line("/dev/shm", std::to_string(*container.shm_size >> 20) + " MiB");
  if (container.gpus > 0) out += line("gpus", std::to_string(container.gpus));
  if (container.max_retries > 0)
    out += line("restarts", "at most " + std::to_string(container.max_retries) + ", on failure");
  if (!plan.options.user.empty()) out += line("user", plan.options.user);
  if (plan.options.privileged) out += line("privileged", "yes");
  return out;
}

}  // namespace slipway::docker
