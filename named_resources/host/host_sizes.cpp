#include "named_resources/host/host_sizes.hpp"

#include <algorithm>
#include <string>

#include "sdk/support/plain_number.hpp"

namespace slipway::host_resources {
namespace {

constexpr std::string_view kPrefix = "host.";

// Returns one of `parts` equal parts of the machine.
Resource part(const Machine& machine, std::int32_t parts) {
  Resource out;
  out.cpu = std::max(1, machine.cpus / parts);
  out.gpu = machine.gpus / parts;
  out.mem_mb = machine.mem_mb > 0 ? machine.mem_mb / parts : -1;
  return out;
}

// Returns `count` CPUs with their share of the memory, and no GPU.
Resource cpus(const Machine& machine, std::int32_t count) {
  Resource out;
  out.cpu = count;
  out.gpu = 0;
  out.mem_mb = machine.mem_mb > 0 ? machine.mem_mb * count / machine.cpus : -1;
  return out;
}

}  // namespace

Dict<Resource> host_sizes(const Machine& machine) {
  Dict<Resource> out = {{"host.full", part(machine, 1)},
                        {"host.half", part(machine, 2)},
                        {"host.quarter", part(machine, 4)},
                        {"host.numa", part(machine, machine.numa_nodes)}};
  if (machine.gpus > 0) out.emplace_back("host.gpu", part(machine, machine.gpus));
  for (std::int64_t count = 1; count <= machine.cpus; count *= 2) {
    out.emplace_back(std::string(kPrefix) + std::to_string(count),
                     cpus(machine, static_cast<std::int32_t>(count)));
  }
  return out;
}

std::optional<Resource> host_size(std::string_view name,
                                  const std::function<const Machine&()>& machine) {
  if (name.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  const std::string_view rest = name.substr(kPrefix.size());
  if (const auto count = plain_number<std::int32_t>(rest)) {
    // "host.08" is not a second name of host.8.
    if (*count < 1 || rest.front() == '0' || *count > machine().cpus) return std::nullopt;
    return cpus(machine(), *count);
  }
  const Dict<Resource> all = host_sizes(machine());
  const Resource* found = find(all, name);
  return found != nullptr ? std::optional<Resource>(*found) : std::nullopt;
}

}  // namespace slipway::host_resources
