#include "plugins/local/scheduler/port_map.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
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
#include "plugins/local/scheduler/role_ports.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/ids.hpp"

namespace slipway::local {

namespace {

// The range of chosen ports consists of whole blocks. Well-known services use the ports below it.
constexpr std::uint32_t kFirstPort = 10'016;
constexpr std::uint32_t kLastPort = 65'535;
constexpr std::uint32_t kBlocks = (kLastPort - kFirstPort + 1) / kPortsPerLease;
static_assert(kFirstPort % kPortsPerLease == 0 && (kLastPort + 1) % kPortsPerLease == 0);
// If fewer ports lie outside the range that the kernel uses for outgoing connections, ports inside
// it are also chosen.
constexpr std::uint32_t kEnoughPorts = 1'000;

enum class Bound { kNo, kYes, kUnknown };

/// Whether a port counts as bound if only connections of an earlier program linger there
/// (TIME_WAIT). A program can bind such a port with SO_REUSEADDR only.
enum class Lingering { kCounts, kIsIgnored };

/// Returns whether a TCP socket has bound the port, on any address of IPv4 or IPv6. kUnknown: the
/// bind failed for another reason, such as a port that only root may bind.
Bound is_bound(std::uint16_t port, Lingering lingering) {
  const int reuse = lingering == Lingering::kCounts ? 0 : 1;
  OwnedFd socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket) {
    const int both = 0;
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_any;
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return Bound::kNo;
    if (errno == EADDRINUSE) return Bound::kYes;
  }
  // The machine has no IPv6, or this user may not bind the port.
  socket.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return Bound::kUnknown;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return Bound::kNo;
  return errno == EADDRINUSE ? Bound::kYes : Bound::kUnknown;
}

/// Picks free TCP ports, none of them twice. Leases them in blocks: while a process holds leases(),
/// no other app picks a port of those blocks. Not thread safe.
class PortPicker {
 public:
  /// `excluded`: the ports that the app uses already.
  PortPicker(std::string pool, std::set<std::uint16_t> excluded);

  /// Throws kUnavailable if no port is left, and what make_lease_holder() throws.
  std::uint16_t pick();

  /// Gives the leases on the picked ports to the caller, after the last pick().
  std::vector<OwnedFd> leases() &&;

 private:
  bool is_candidate(std::uint32_t port) const;
  void lease_next_block();

  std::string pool_;
  std::vector<OwnedFd> leases_;
  // The picked ports, by the first port of each leased block.
  std::map<std::uint32_t, std::set<std::uint16_t>> picked_;
  std::uint32_t port_ = 0;  // the next port to look at, in the block that was leased last
  std::uint32_t end_ = 0;   // the first port behind that block
  std::set<std::uint16_t> excluded_;
  // The range that the kernel uses for outgoing connections; at first its default.
  std::uint32_t kernel_first_ = 32768;
  std::uint32_t kernel_last_ = 60999;
  std::uint32_t first_block_ = 0;  // the block that was tried first
  std::uint32_t blocks_tried_ = 0;
};

PortPicker::PortPicker(std::string pool, std::set<std::uint16_t> excluded)
    : pool_(std::move(pool)), excluded_(std::move(excluded)) {
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
  // An empty exclusion: no candidate has the number 0.
  if (outside < kEnoughPorts) kernel_first_ = kernel_last_ = 0;
  // Launches at the same time begin in different blocks.
  first_block_ = static_cast<std::uint32_t>(random_bits() % kBlocks);
}

/// Returns whether the port lies outside the range that the kernel uses for outgoing connections.
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
    picked_.try_emplace(first);
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
      // The lease on the port alone is only tried: an app that needs this number holds it. The
      // lease on the block stays.
      if (!is_candidate(number) || excluded_.count(port) != 0 ||
          is_bound(port, Lingering::kCounts) != Bound::kNo || !lease_port(pool_, port)) {
        continue;
      }
      excluded_.insert(port);
      picked_[end_ - kPortsPerLease].insert(port);
      return port;
    }
    lease_next_block();
  }
}

std::vector<OwnedFd> PortPicker::leases() && {
  for (const auto& [first, ports] : picked_) {
    if (OwnedFd unused = show_unused_ports(pool_, first, ports))
      leases_.push_back(std::move(unused));
  }
  return std::move(leases_);
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

/// Returns whether the group's variable for a port still has the placeholder.
bool is_unchosen(const LaunchGroup& group, const std::string& variable) {
  const std::string* value = find(group.env, variable);
  return value != nullptr && *value == kChosenAtLaunch;
}

/// Returns whether the replicas of the group need different ports.
bool needs_own_ports(const LaunchGroup& group, const Role& role) {
  for (const auto& entry : role.port_map) {
    if (is_unchosen(group, port_variable(entry.first)) && !shares_port(role, entry.first))
      return true;
  }
  return false;
}

/// Returns the ports of the plan's replicas that are not to be chosen: the fixed ones, and those
/// that a role's `env` or a patch of the request has set.
std::set<std::uint16_t> known_ports(const LaunchPlan& plan, const AppDef& app) {
  std::set<std::uint16_t> ports;
  for (const LaunchGroup& group : plan.groups) {
    const Role* role = role_named(app, group.role);
    if (role == nullptr) continue;
    for (const auto& entry : role->port_map) {
      const std::string* value = find(group.env, port_variable(entry.first));
      if (value != nullptr) ports.insert(port_number(*value));
    }
  }
  return ports;
}

/// Leases a port that no app has chosen. Waits for an app that has just ended: its supervisor,
/// which holds the lease, ends a moment after the app. Waits also for an app that is choosing
/// ports. No event reports the end of another's lease. Empty if another app has the port. Throws
/// kCancelled.
OwnedFd lease_fixed_port(const std::string& pool, std::uint16_t number, const Call& call) {
  constexpr std::chrono::seconds kPatience{2};
  constexpr std::chrono::milliseconds kPause{20};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (OwnedFd lease;;) {
    if (!lease) lease = lease_port(pool, number);
    // An app that chooses ports tries this lease, so it must be held before this look.
    if (lease && !may_be_chosen(pool, number)) return lease;
    if (std::chrono::steady_clock::now() >= deadline) return {};
    pollfd cancelled{call.cancel_fd(), POLLIN, 0};
    ::poll(&cancelled, 1, static_cast<int>(kPause.count()));
    call.check();
  }
}

/// One fixed port of a role.
struct FixedPort {
  const Role* role = nullptr;
  std::string name;
};

/// Leases the fixed ports of the app. Throws if two roles have the same one, another app has it, or
/// a program uses it.
void lease_fixed_ports(LaunchPlan& plan, const AppDef& app, const Call& call,
                       std::vector<OwnedFd>& leases) {
  std::map<std::uint16_t, FixedPort> ports;
  for (const LaunchGroup& group : plan.groups) {
    const Role* role = role_named(app, group.role);
    if (role == nullptr) continue;
    for (const auto& [name, number] : role->port_map) {
      const std::string* value = find(group.env, port_variable(name));
      // The role's `env`, a patch of the request or with_own_rendezvous() may have replaced the
      // fixed number.
      if (number <= 0 || value == nullptr || *value != std::to_string(number)) continue;
      const auto [known, added] =
          ports.emplace(static_cast<std::uint16_t>(number), FixedPort{role, name});
      // A role may have several groups.
      if (added || known->second.role == role) continue;
      throw Error(Code::kInvalid,
                  "port " + *value + " is the port '" + known->second.name + "' of " +
                      known->second.role->name + " and the port '" + name + "' of " + role->name +
                      ", which run on the same machine",
                  "give one of them another number, or 0 for a free port");
    }
  }
  for (const auto& [number, port] : ports) {
    if (plan.lease_pool.empty()) plan.lease_pool = lease_pool();
    OwnedFd lease = lease_fixed_port(plan.lease_pool, number, call);
    const bool is_leased = !lease;
    if (!is_leased && is_bound(number, Lingering::kIsIgnored) != Bound::kYes) {
      leases.push_back(std::move(lease));
      continue;
    }
    throw Error(
        Code::kUnavailable,
        "port " + std::to_string(number) + ", the port '" + port.name + "' of " + port.role->name +
            ", is " +
            (is_leased ? "leased by another app of this machine"
                       : "in use by a program of this machine"),
        is_leased ? "end that app, or give the port the number 0 in port_map, for a free one"
                  : "end that program, or give the port the number 0 in port_map, for a free one");
  }
}

/// Copies the ports of a role from its variables to LaunchGroup::ports.
void record_ports(LaunchGroup& group, const Role& role) {
  for (const auto& entry : role.port_map) {
    const std::string* value = find(group.env, port_variable(entry.first));
    const std::uint16_t number = value != nullptr ? port_number(*value) : std::uint16_t{0};
    if (number != 0) group.ports.emplace_back(entry.first, number);
  }
}

}  // namespace

std::string variable_part(std::string_view name) {
  std::string out;
  for (const char c : upper_case(name))
    out += (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

std::string port_variable(std::string_view name) { return "SLIPWAY_PORT_" + variable_part(name); }

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

std::vector<OwnedFd> choose_ports(LaunchPlan& plan, const AppDef& app, const Call& call) {
  std::vector<OwnedFd> leases;
  lease_fixed_ports(plan, app, call, leases);
  const std::set<std::uint16_t> known = known_ports(plan, app);
  std::optional<PortPicker> picker;
  std::map<std::string, std::string> shared;  // the port that the replicas of a role share
  std::vector<LaunchGroup> groups;
  groups.reserve(plan.groups.size());
  for (LaunchGroup& group : plan.groups) {
    const Role* role = role_named(app, group.role);
    if (role == nullptr || role->port_map.empty()) {
      groups.push_back(std::move(group));
      continue;
    }
    // Replicas that get different ports become groups of one replica.
    const std::int32_t pieces = needs_own_ports(group, *role) ? group.count : 1;
    for (std::int32_t k = 0; k < pieces; ++k) {
      LaunchGroup& piece = groups.emplace_back(group);
      if (pieces > 1) {
        piece.first_replica += k;
        piece.count = 1;
      }
      for (const auto& entry : role->port_map) {
        const std::string variable = port_variable(entry.first);
        if (!is_unchosen(piece, variable)) continue;
        if (!picker) {
          if (plan.lease_pool.empty()) plan.lease_pool = lease_pool();
          picker.emplace(plan.lease_pool, known);
        }
        std::string of_replica;
        std::string& number = shares_port(*role, entry.first) ? shared[role->name] : of_replica;
        if (number.empty()) number = std::to_string(picker->pick());
        set(piece.env, variable, number);
      }
      record_ports(piece, *role);
    }
  }
  plan.groups = std::move(groups);
  set_role_variables(plan, app);
  fill_port_macros(plan);
  if (!picker) return leases;
  for (OwnedFd& lease : std::move(*picker).leases()) leases.push_back(std::move(lease));
  return leases;
}

}  // namespace slipway::local
