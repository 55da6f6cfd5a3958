#include <string>
#include <unordered_map>

#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"

namespace slipway::lint {
namespace {

// Removes the trailing slash: `/data/` and `/data` are the same place.
std::string without_end_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

void check_mounts(const RoleContext& context) {
  std::unordered_map<std::string, std::size_t> taken;
  for (std::size_t i = 0; i < context.role.mounts.size(); ++i) {
    const std::string& path = context.role.mounts[i].dst;
    if (path.empty()) continue;  // validate() reports an empty destination
    const auto warn = [&](std::string message, std::string hint) {
      context.warn_item(rule::kMountDestination, "mounts", i, std::move(message), std::move(hint));
    };
    if (path.front() != '/')
      warn("the destination " + spec::quoted(path) + " is not an absolute path", "");
    const auto [first, is_new] = taken.emplace(without_end_slash(path), i);
    if (is_new) continue;
    warn("mounts[" + std::to_string(first->second) + "] has the destination " + spec::quoted(path) +
             " already",
         "only one of them can be seen there");
  }
}

void check_ports(const RoleContext& context) {
  std::unordered_map<std::int64_t, const std::string*> taken;
  for (std::size_t i = 0; i < context.role.port_map.size(); ++i) {
    const auto& [name, number] = context.role.port_map[i];
    const auto [first, is_new] = taken.emplace(number, &name);
    if (is_new) continue;
    context.warn_entry(
        rule::kDuplicatePort, "port_map", name, i,
        spec::quoted(*first->second) + " has port " + std::to_string(number) + " already", "");
  }
}

}  // namespace slipway::lint
