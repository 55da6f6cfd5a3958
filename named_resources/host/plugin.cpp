// Named resources of this machine.
#include "slipway/plugin.hpp"

#include <optional>

#include "named_resources/host/host_sizes.hpp"
#include "named_resources/host/machine.hpp"

namespace {

namespace host = slipway::host_resources;

class HostResources : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;

  slipway::Dict<slipway::Resource> list(const slipway::Call&) override {
    return host::host_sizes(machine());
  }
  std::optional<slipway::Resource> get(std::string_view name, const slipway::Call&) override {
    return host::host_size(name, [this]() -> const host::Machine& { return machine(); });
  }

 private:
  // Measures the machine on first use, because a driver's tool may take seconds.
  const host::Machine& machine() {
    if (!machine_) machine_ = host::read_machine(host::this_machine());
    return *machine_;
  }

  std::optional<host::Machine> machine_;
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.host", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(HostResources, "host", "parts of this machine"))
