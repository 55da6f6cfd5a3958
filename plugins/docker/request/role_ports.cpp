#include "plugins/docker/request/role_ports.hpp"

#include <algorithm>
#include <string_view>

#include "slipway/error.hpp"

namespace slipway::docker {

std::optional<std::string> port_named(const PortMacro& macro, const AppDef& app, const Role& role) {
  const std::string_view name = macro.role.empty() ? std::string_view(role.name) : macro.role;
  const auto other = std::find_if(app.roles.begin(), app.roles.end(),
                                  [&](const Role& one) { return one.name == name; });
  if (other == app.roles.end() || macro.port.empty()) return std::nullopt;
  const std::int64_t* port = find(other->port_map, macro.port);
  if (port == nullptr) return std::nullopt;
  if (*port != 0) return std::to_string(*port);
  throw Error(Code::kInvalid,
              "role " + role.name + ": " + std::string(macro.written) +
                  ": the port is 0, and nothing chooses a port inside a container",
              "give the port a number: containers share no numbers, except with -c network=host");
}

}  // namespace slipway::docker
