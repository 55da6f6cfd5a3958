#include "plugins/local/scheduler/port_map.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/local/engine/machine_leases.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/ids.hpp"

namespace slipway::local {

namespace {

// Well-known services use the ports below the first. The range consists of whole blocks.
constexpr std::uint32_t kFirstPort = 10'016;
constexpr std::uint32_t kLastPort = 65'535;
constexpr std::uint32_t kBlocks = (kLastPort - kFirstPort + 1) / kPortsPerLease;
static_assert(kFirstPort % kPortsPerLease == 0 && (kLastPort + 1) % kPortsPerLease == 0);
// If fewer ports lie outside the kernel's range, ports inside it are also used.
constexpr std::uint32_t kEnoughPorts = 1'000;

constexpr const char* kChosenAtLaunch = "(chosen at launch)";

/// Returns whether no socket has bound the port, on any address of IPv4 or IPv6.
bool is_free(std::uint16_t port) {
  OwnedFd socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket) {
    const int both = 0;
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_any;
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return true;
    if (errno == EADDRINUSE) return false;
  }
  // The machine has no IPv6.
  socket.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  return socket &&
         ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

/// Picks free TCP ports, none of them twice. Leases them in blocks: while a process holds leases(),
/// no other app gets a port of those blocks. Not thread safe.
class PortPicker {
 public:
  explicit PortPicker(std::string pool);

  /// Excludes `port`, which the app uses already.
  void exclude(std::uint16_t port) { excluded_.insert(port); }
  /// Throws kUnavailable if no port is left, and what make_lease_holder() throws.
  std::uint16_t pick();

  /// Gives the leases on the picked ports to the caller.
  std::vector<OwnedFd> leases() && { return std::move(leases_); }

 private:
  bool is_candidate(std::uint32_t port) const;
  void lease_next_block();

  std::string pool_;
  std::vector<OwnedFd> leases_;
  std::uint32_t port_ = 0;  // the next to look at, in the block that was leased last
  std::uint32_t end_ = 0;   // behind that block
  std::set<std::uint16_t> excluded_;
  std::uint32_t kernel_first_ = 32768;  // for outgoing connections
  std::uint32_t kernel_last_ = 60999;
  std::uint32_t first_block_ = 0;
  std::uint32_t blocks_tried_ = 0;
};

PortPicker::PortPicker(std::string pool) : pool_(std::move(pool)) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(
      std::fopen("/proc/sys/net/ipv4/ip_local_port_range", "re"), &std::fclose);
  unsigned first = 0;
  unsigned last = 0;
  if (file && std::fscanf(file.get(), "%u %u", &first, &last) == 2) {
    kernel_first_ = first;
    kernel_last_ = last;
  }
  std::uint32_t outside = 0;
  for (std::uint32_t port = kFirstPort; port <= kLastPort; ++port)
    outside += is_candidate(port) ? 1 : 0;
  if (outside < kEnoughPorts) kernel_first_ = kernel_last_ = 0;
  // Launches at the same time begin in different blocks.
  first_block_ = static_cast<std::uint32_t>(random_bits() % kBlocks);
}

bool PortPicker::is_candidate(std::uint32_t port) const {
  return port < kernel_first_ || port > kernel_last_;
}

/// Leases another block, so that pick() finds its ports between `port_` and `end_`.
void PortPicker::lease_next_block() {
  while (blocks_tried_ < kBlocks) {
    const std::uint32_t block = (first_block_ + blocks_tried_++) % kBlocks;
    const std::uint32_t first = kFirstPort + block * kPortsPerLease;
    const std::uint32_t end = first + kPortsPerLease;
    port_ = first;
    while (port_ < end && !is_candidate(port_)) ++port_;
    if (port_ == end) continue;
    OwnedFd lease = lease_ports(pool_, first);
    if (!lease) continue;
    leases_.push_back(std::move(lease));
    end_ = end;
    return;
  }
  throw Error(Code::kUnavailable,
              "no free TCP port is left on this machine for a port of the app's port_map",
              "end other apps, or give the port a number");
}

std::uint16_t PortPicker::pick() {
  for (;;) {
    while (port_ < end_) {
      const std::uint32_t number = port_++;
      const auto port = static_cast<std::uint16_t>(number);
      if (!is_candidate(number) || excluded_.count(port) != 0 || !is_free(port)) continue;
      excluded_.insert(port);
      return port;
    }
    lease_next_block();
  }
}

std::string port_variable(std::string_view name) {
  std::string out = "SLIPWAY_PORT_";
  for (const char c : upper_case(name))
    out += (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

const Role* role_named(const AppDef& app, const std::string& name) {
  for (const Role& role : app.roles) {
    if (role.name == name) return &role;
  }
  return nullptr;
}

/// Returns 0 if the text is not a port.
std::uint16_t port_number(const std::string& text) {
  return plain_number<std::uint16_t>(text).value_or(0);
}

/// Returns whether the group still has the placeholder in place of a port.
bool is_open(const LaunchGroup& group, const std::string& variable) {
  const std::string* value = find(group.env, variable);
  return value != nullptr && *value == kChosenAtLaunch;
}

bool has_open_port(const LaunchGroup& group, const Role& role) {
  for (const auto& entry : role.port_map) {
    if (is_open(group, port_variable(entry.first))) return true;
  }
  return false;
}

void exclude_fixed_ports(PortPicker& picker, const AppDef& app) {
  for (const Role& role : app.roles) {
    for (const auto& entry : role.port_map) {
      if (entry.second > 0) picker.exclude(static_cast<std::uint16_t>(entry.second));
    }
  }
}

void record_ports(LaunchGroup& group, const Role& role) {
  for (const auto& entry : role.port_map) {
    const std::string* value = find(group.env, port_variable(entry.first));
    const std::uint16_t number = value != nullptr ? port_number(*value) : std::uint16_t{0};
    if (number != 0) group.ports.emplace_back(entry.first, number);
  }
}

}  // namespace

void add_port_variables(StrDict& env, const Role& role) {
  std::map<std::string, std::string> names;
  for (const auto& [name, number] : role.port_map) {
    const std::string variable = port_variable(name);
    const auto [first, added] = names.emplace(variable, name);
    if (!added) {
      throw Error(Code::kInvalid,
                  "the ports '" + first->second + "' and '" + name + "' would both be " + variable,
                  "give one of them another name", role.name);
    }
    if (find(env, variable) == nullptr)
      env.emplace_back(variable, number == 0 ? kChosenAtLaunch : std::to_string(number));
  }
}

std::vector<OwnedFd> choose_ports(LaunchPlan& plan, const AppDef& app) {
  std::optional<PortPicker> picker;
  std::vector<LaunchGroup> groups;
  groups.reserve(plan.groups.size());
  for (LaunchGroup& group : plan.groups) {
    const Role* role = role_named(app, group.role);
    if (role == nullptr || role->port_map.empty()) {
      groups.push_back(std::move(group));
      continue;
    }
    const std::int32_t pieces = has_open_port(group, *role) ? group.count : 1;
    for (std::int32_t k = 0; k < pieces; ++k) {
      LaunchGroup& piece = groups.emplace_back(group);
      if (pieces > 1) {
        piece.first_replica += k;
        piece.count = 1;
      }
      for (const auto& entry : role->port_map) {
        const std::string variable = port_variable(entry.first);
        if (!is_open(piece, variable)) continue;
        if (!picker) {
          if (plan.lease_pool.empty()) plan.lease_pool = lease_pool();
          picker.emplace(plan.lease_pool);
          exclude_fixed_ports(*picker, app);
        }
        set(piece.env, variable, std::to_string(picker->pick()));
      }
      record_ports(piece, *role);
    }
  }
  plan.groups = std::move(groups);
  if (!picker) return {};
  return std::move(*picker).leases();
}

}  // namespace slipway::local
