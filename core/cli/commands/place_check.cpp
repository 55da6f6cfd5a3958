#include "core/cli/commands/place_check.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "core/config/sources.hpp"
#include "core/registry/place_findings.hpp"

namespace slipway::cli {

namespace {

namespace fs = std::filesystem;

/// The schedulers whose records belong to one machine.
constexpr std::array<std::string_view, 3> kLocalSchedulers = {"local", "local_cwd", "local_dir"};

bool is_network_file_system(std::string_view type) {
  static constexpr std::array<std::string_view, 21> kTypes = {
      "afs",        "beegfs",         "ceph",         "cifs",         "fhgfs",     "fuse.ceph-fuse",
      "fuse.sshfs", "fuse.glusterfs", "fuse.juicefs", "fuse.gcsfuse", "fuse.s3fs", "fuse.rclone",
      "gfs2",       "glusterfs",      "gpfs",         "lustre",       "nfs",       "nfs4",
      "ocfs2",      "smb3",           "wekafs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

/// Returns the type of the file system that holds `path`, or its nearest directory that exists;
/// nothing where the kernel lists no mount of its device.
std::optional<std::string> file_system_of(fs::path path) {
  struct stat st {};
  while (::stat(path.c_str(), &st) != 0) {
    if (!path.has_relative_path()) return std::nullopt;
    path = path.parent_path();
  }
  const std::string device = fmt::format("{}:{}", major(st.st_dev), minor(st.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string number;
    words >> id >> parent >> number;
    const std::size_t dash = line.find(" - ");
    if (number != device || dash == std::string::npos) continue;
    return line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
  }
  return std::nullopt;
}

void check_records(Invocation& invocation, std::vector<spec::Problem>& problems) {
  registry::PluginHost& plugins = invocation.runner().plugins();
  const std::vector<std::string> known = plugins.registry().names(registry::Group::kSchedulers);
  std::vector<std::string> seen;
  for (const std::string_view name : kLocalSchedulers) {
    if (std::find(known.begin(), known.end(), name) == known.end()) continue;
    const std::string directory = plugins.state_dir(name);
    if (std::find(seen.begin(), seen.end(), directory) != seen.end()) continue;
    seen.push_back(directory);
    const std::optional<std::string> type = file_system_of(directory);
    if (!type || !is_network_file_system(*type)) continue;
    problems.push_back(
        {spec::Severity::kWarning,
         {directory},
         {},
         fmt::format(
             "the records of {} lie on a network file system ({}), though local apps belong "
             "to one machine",
             name, *type),
         fmt::format("set state_dir in [scheduler.{}] of a configuration file to a directory of a "
                     "local disk, such as \"/var/tmp/slipway-$USER\"",
                     name),
         Code::kConfig});
  }
}

}  // namespace

std::vector<spec::Problem> check_places(Invocation& invocation) {
  registry::Registry& registry = invocation.runner().plugins().registry();
  registry::PlaceFindings findings(registry.trust());
  registry::check_places(registry, findings);
  findings.check(config::Places().site_file, registry::Origin::kSite);
  std::vector<spec::Problem> out = findings.take();
  check_records(invocation, out);
  return out;
}

}  // namespace slipway::cli
