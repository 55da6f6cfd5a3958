#include "plugins/local/engine/machine_identity.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "sdk/support/fnv_hash.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kMachineIdLength = 32;
constexpr std::size_t kBootIdLength = 36;

/// Returns the first `length` characters of a file; empty if it has fewer.
std::string first_of(const char* path, std::size_t length) {
  const OwnedFd file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string text(length, '\0');
  if (!file || ::read(file.get(), text.data(), length) != static_cast<ssize_t>(length)) return {};
  return text;
}

const std::string& boot_id_if_known() {
  static const std::string id = first_of("/proc/sys/kernel/random/boot_id", kBootIdLength);
  return id;
}

/// Returns a hash, because machine-id(5) forbids programs to show the id itself; 0: there is no id.
std::uint64_t machine_id_hash() {
  const std::string id = first_of("/etc/machine-id", kMachineIdLength);
  // Until the first start of the system is complete, systemd leaves `uninitialized` in this file.
  const bool is_id = !id.empty() && id.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_id ? fnv_hash(id, fnv_hash("slipway.local")) : 0;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

const std::string& boot_id() {
  if (!boot_id_if_known().empty()) return boot_id_if_known();
  throw Error(Code::kUnavailable, "cannot read the kernel's boot id", "is /proc mounted?");
}

const MachineIdentity& this_machine() {
  static const MachineIdentity machine{boot_id_if_known(), machine_id_hash(), host_name()};
  return machine;
}

bool is_this_machine(const MachineIdentity& machine) {
  if (!machine.boot_id.empty() && machine.boot_id == boot_id_if_known()) return true;
  const MachineIdentity& here = this_machine();
  return machine.machine == here.machine && machine.host == here.host;
}

std::uint64_t machine_tag(const MachineIdentity& machine) {
  return fnv_hash(machine.host, fnv_hash(std::to_string(machine.machine)));
}

std::uint64_t this_machine_tag() {
  static const std::uint64_t tag = machine_tag(this_machine());
  return tag;
}

}  // namespace slipway::local
