#include "plugins/slurm/engine/cluster_configuration.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace slipway::slurm {

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

/// The directory of PATH that has squeue; empty: none.
std::string squeue_directory() {
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string directory = rest.substr(0, end);
    if (::access((directory + "/squeue").c_str(), X_OK) == 0) return directory;
    rest.erase(0, end + 1);
  }
  return {};
}

}  // namespace

bool may_have_cluster() {
  constexpr std::array<const char*, 5> kPlaces = {
      "/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf", "/etc/slurm.conf",
      "/usr/local/etc/slurm.conf", "/run/slurm/conf/slurm.conf"};
  if (is_set("SLURM_CONF") || is_set("SLURM_CONF_SERVER")) return true;
  if (std::any_of(kPlaces.begin(), kPlaces.end(), exists)) return true;
  const std::string directory = squeue_directory();
  return !directory.empty() && directory != "/usr/bin" && directory != "/bin";
}

}  // namespace slipway::slurm
