#include "plugins/local/engine/machine_leases.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::local {
namespace {

// UDIAG_SHOW_UID and UNIX_DIAG_UID of linux/unix_diag.h. The headers of Linux before 5.3 lack them.
constexpr std::uint32_t kShowUser = 0x40;
constexpr int kUser = 7;

/// Returns the address without the zero byte that makes it abstract.
std::string address_text(const std::string& pool, const std::string& name) {
  return "slipway/" + pool + '/' + name;
}

/// Returns the start of the name of a lease that shows the unused ports of the block from `first`.
/// The rest of the name is a number; its bit i stands for port `first` + i.
std::string unused_ports_prefix(std::uint32_t first) {
  return "unused/" + std::to_string(first) + '/';
}

/// Calls `each(type, content)` with every attribute of a socket.
template <typename F>
void for_each_attribute(const nlmsghdr& message, F each) {
  const auto* bytes = reinterpret_cast<const char*>(&message);
  std::size_t at = NLMSG_LENGTH(sizeof(unix_diag_msg));
  while (at + sizeof(rtattr) <= message.nlmsg_len) {
    rtattr head{};
    std::memcpy(&head, bytes + at, sizeof head);
    if (head.rta_len < sizeof head || at + head.rta_len > message.nlmsg_len) return;
    each(head.rta_type, std::string_view(bytes + at + sizeof head, head.rta_len - sizeof head));
    at += RTA_ALIGN(head.rta_len);
  }
}

/// Adds the socket in `message` to `users` if its address begins with `start`.
void add_user(const nlmsghdr& message, std::string_view start,
              std::map<std::string, std::uint32_t>& users) {
  std::string_view name;
  std::string_view user;
  for_each_attribute(message, [&](int type, std::string_view content) {
    if (type == UNIX_DIAG_NAME) name = content;
    if (type == kUser) user = content;
  });
  std::uint32_t id = 0;
  if (user.size() != sizeof id || !name.starts_with(start)) return;
  std::memcpy(&id, user.data(), sizeof id);
  users.emplace(name.substr(start.size()), id);
}

/// Requests the addresses and users of all Unix sockets. Returns the socket for the answer; empty
/// on failure.
OwnedFd ask_for_sockets() {
  OwnedFd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  struct {
    nlmsghdr head;
    unix_diag_req request;
  } message{};
  message.head.nlmsg_len = sizeof message;
  message.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  message.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  message.request.sdiag_family = AF_UNIX;
  message.request.udiag_states = ~0U;
  message.request.udiag_show = UDIAG_SHOW_NAME | kShowUser;
  if (!socket || ::send(socket.get(), &message, sizeof message, 0) != sizeof message)
    return OwnedFd();
  return socket;
}

}  // namespace

std::string lease_pool() {
  const char* given = std::getenv("SLIPWAY_LOCAL_LEASE_POOL");
  const std::string pool = given != nullptr && *given != '\0' ? given : "machine";
  if (pool.size() <= kLongestPool) return pool;
  throw Error(Code::kInvalid, "the name in SLIPWAY_LOCAL_LEASE_POOL is too long",
              "use at most " + std::to_string(kLongestPool) + " bytes");
}

OwnedFd make_lease_holder() {
  OwnedFd holder(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (holder) return holder;
  const int error = errno;
  const bool is_short = error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
  throw system_error(is_short ? Code::kTemporary : Code::kUnavailable, "cannot make",
                     "a socket for a lease on GPUs or ports", error,
                     error == EMFILE ? "raise `ulimit -n`: each GPU of the machine and each port "
                                       "with a number takes one descriptor, each block of 32 free "
                                       "ports takes two"
                                     : "");
}

bool take_lease(const OwnedFd& holder, const std::string& pool, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string text = address_text(pool, name);
  if (text.size() + 1 > sizeof address.sun_path) return errno = ENAMETOOLONG, false;
  std::memcpy(address.sun_path + 1, text.data(), text.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  if (::bind(holder.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0) return true;
  // EINVAL: the socket has an address already.
  return errno == EINVAL && has_lease(holder);
}

bool has_lease(const OwnedFd& holder) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  return ::getsockname(holder.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
         size > offsetof(sockaddr_un, sun_path);
}

OwnedFd lease_ports(const std::string& pool, std::uint32_t first) {
  OwnedFd holder = make_lease_holder();
  if (!take_lease(holder, pool, "ports/" + std::to_string(first))) holder.reset();
  return holder;
}

OwnedFd lease_port(const std::string& pool, std::uint16_t port) {
  OwnedFd holder = make_lease_holder();
  if (!take_lease(holder, pool, "port/" + std::to_string(port))) holder.reset();
  return holder;
}

OwnedFd show_unused_ports(const std::string& pool, std::uint32_t first,
                          const std::set<std::uint16_t>& used) {
  std::uint32_t unused = ~std::uint32_t{0};
  for (const std::uint16_t port : used) unused &= ~(1U << (port - first));
  if (unused == 0) return OwnedFd();
  OwnedFd holder = make_lease_holder();
  // If this fails, other apps leave the unused ports alone also.
  take_lease(holder, pool, unused_ports_prefix(first) + std::to_string(unused));
  return holder;
}

bool may_be_chosen(const std::string& pool, std::uint16_t port) {
  const std::uint32_t first = port / kPortsPerLease * kPortsPerLease;
  if (const OwnedFd block = lease_ports(pool, first)) return false;
  for (const auto& [text, user] : lease_users(pool, unused_ports_prefix(first))) {
    const std::uint32_t unused = plain_number<std::uint32_t>(text).value_or(0);
    if ((unused >> (port - first) & 1U) != 0) return false;
  }
  return true;
}

std::map<std::string, std::uint32_t> lease_users(const std::string& pool,
                                                 const std::string& start) {
  std::map<std::string, std::uint32_t> users;
  const OwnedFd socket = ask_for_sockets();
  const std::string wanted = '\0' + address_text(pool, start);
  alignas(nlmsghdr) char buffer[8 * 1024];
  for (;;) {
    const ssize_t n = socket ? ::recv(socket.get(), buffer, sizeof buffer, 0) : -1;
    if (n <= 0) return users;
    const auto end = static_cast<std::size_t>(n);
    for (std::size_t at = 0; at + sizeof(nlmsghdr) <= end;) {
      const auto* message = reinterpret_cast<const nlmsghdr*>(buffer + at);
      const std::size_t size = message->nlmsg_len;
      const bool is_socket = message->nlmsg_type == SOCK_DIAG_BY_FAMILY;
      if (!is_socket || size < sizeof *message || size > end - at) return users;
      add_user(*message, wanted, users);
      at += NLMSG_ALIGN(size);
    }
  }
}

}  // namespace slipway::local
