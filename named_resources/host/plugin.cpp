// Named resources of this machine.
#include "slipway/plugin.hpp"

#include <chrono>
#include <optional>

#include "named_resources/host/host_sizes.hpp"
#include "named_resources/host/machine.hpp"
#include "sdk/support/time_left.hpp"

namespace {

namespace host = slipway::host_resources;

class HostResources : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;

  slipway::Dict<slipway::Resource> list(const slipway::Call& call) override {
    return host::host_sizes(machine(call));
  }
  std::optional<slipway::Resource> get(std::string_view name, const slipway::Call& call) override {
    return host::host_size(name, [&, this]() -> const host::Machine& { return machine(call); });
  }

 private:
  // Measures the machine on first use, because a driver's tool may take seconds. Two tools that
  // hang leave time for the answer, which then has what the kernel lists.
  const host::Machine& machine(const slipway::Call& call) {
    if (machine_) return *machine_;
    host::MachinePlaces places = host::this_machine();
    const std::chrono::milliseconds limit(places.tool_timeout_ms);
    constexpr int kShare = 3;
    const auto for_each_tool = slipway::time_left(call, limit * kShare) / kShare;
    places.tool_timeout_ms = static_cast<int>(for_each_tool.count());
    return machine_.emplace(host::read_machine(places));
  }

  std::optional<host::Machine> machine_;
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.host", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(HostResources, "host", "parts of this machine"))
