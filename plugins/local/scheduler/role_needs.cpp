#include "plugins/local/scheduler/role_needs.hpp"

#include <sys/stat.h>

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/scheduler/local_request.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kMostMebibytes = INT64_MAX / kMebibyte;

[[noreturn]] void refuse(const Role& role, const std::string& why, const std::string& hint) {
  throw Error(Code::kInvalid, why, hint, role.name);
}

/// Seen from inside the mounts before it: a destination may lie in one of them.
void check_ends(const Role& role, const std::vector<BindMount>& before, const BindMount& mount) {
  struct stat src {};
  if (::stat(mount.src.c_str(), &src) != 0)
    refuse(role, "the source " + mount.src + " of a mount is not there", "create it");
  struct stat dst {};
  if (::stat(outside_path(before, mount.dst).c_str(), &dst) != 0) {
    refuse(
        role, "there is no " + mount.dst + " to mount " + mount.src + " at",
        "create it: replicas run on this machine's own file system, where a mount needs a place");
  }
  if (S_ISDIR(src.st_mode) != S_ISDIR(dst.st_mode)) {
    refuse(role,
           "of " + mount.src + " and " + mount.dst + " one is a directory and the other is not",
           "mount directories at directories and files at files");
  }
}

std::vector<BindMount> bind_mounts(const Role& role, const std::string& base_dir,
                                   const Scheduler::OnFinding& on_finding) {
  std::vector<BindMount> out;
  for (const Mount& from : role.mounts) {
    if (from.kind != MountKind::kBind) {
      const bool volume = from.kind == MountKind::kVolume;
      on_finding({Finding::Kind::kIgnored, role.name, "mounts",
                  volume ? "there are no volumes on this machine: " + from.src + " is not mounted"
                         : "devices are there for replicas as for everybody: " + from.src +
                               " is not mounted"});
      continue;
    }
    if (from.dst.empty() || from.dst.front() != '/') {
      refuse(role, "the destination '" + from.dst + "' of a mount is not an absolute path",
             "begin it with /");
    }
    BindMount mount{absolute_path(base_dir, from.src), from.dst, from.read_only};
    check_ends(role, out, mount);
    out.push_back(std::move(mount));
  }
  return out;
}

}  // namespace

ReplicaNeeds role_needs(const Role& role, const LocalOptions& options, const std::string& base_dir,
                        const Scheduler::OnFinding& on_finding) {
  ReplicaNeeds needs;
  const Resource& resource = role.resource;
  if (options.lease_gpus && resource.gpu > 0) needs.gpus = resource.gpu;
  if (resource.mem_mb > kMostMebibytes) refuse(role, "its memory is out of range", "");
  needs.limits.enforce = options.enforce;
  if (options.enforce == Enforce::kNone) {
    if (resource.cpu > 0 || resource.mem_mb > 0) {
      on_finding({Finding::Kind::kIgnored, role.name, "resource",
                  "CPU and memory are shared, not reserved, on this machine; run option enforce "
                  "limits them"});
    }
  } else {
    needs.limits.cpus = resource.cpu > 0 ? resource.cpu : 0;
    needs.limits.memory_bytes = resource.mem_mb > 0 ? resource.mem_mb * kMebibyte : 0;
  }
  needs.mounts = bind_mounts(role, base_dir, on_finding);
  return needs;
}

}  // namespace slipway::local
