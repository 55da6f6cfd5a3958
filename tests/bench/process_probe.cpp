#include "tests/bench/process_probe.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "slipway/owned_fd.hpp"

namespace slipway::bench {
namespace {

namespace fs = std::filesystem;

/// Returns the sum of the numbers after the colon in all lines of `path` that start with `key`.
std::int64_t number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::int64_t sum = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::istringstream rest(line.substr(line.find(':') + 1));
    std::int64_t value = 0;
    rest >> value;
    sum += value;
  }
  return sum;
}

}  // namespace

ProcessFacts facts_of(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  ProcessFacts facts;
  facts.private_kb = static_cast<long>(number_in(process + "/smaps_rollup", "Private_"));
  std::ifstream(process + "/schedstat") >> facts.cpu_ns;
  facts.wake_ups = number_in(process + "/status", "voluntary_ctxt_switches");
  std::error_code error;
  for (fs::directory_iterator entry(process + "/fd", error), end; !error && entry != end;
       entry.increment(error))
    ++facts.descriptors;
  return facts;
}

std::vector<pid_t> listener_with_children(const std::string& socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path)
    throw std::runtime_error(socket_path + " is too long for a socket");
  std::copy(socket_path.begin(), socket_path.end(), address.sun_path);
  const OwnedFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ucred peer{};
  socklen_t size = sizeof peer;
  if (!fd ||
      ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot connect to " + socket_path);
  std::vector<pid_t> found{peer.pid};
  const std::string pid = std::to_string(peer.pid);
  std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
  for (pid_t child = 0; children >> child;) found.push_back(child);
  return found;
}

}  // namespace slipway::bench
