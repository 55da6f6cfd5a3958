#include "plugins/local/scheduler/role_needs.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <utility>

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/scheduler/local_request.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/error.hpp"
#include "slipway/hosted_devices.hpp"

namespace slipway::local {

namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kMostMebibytes = INT64_MAX / kMebibyte;
constexpr std::size_t kMostNamed = 4;  // devices in a message

[[noreturn]] void refuse(const Role& role, const std::string& why, const std::string& hint) {
  throw Error(Code::kInvalid, why, hint, role.name);
}

/// Checks that both ends of `mount` exist and are of one kind. Both may lie inside one of
/// `earlier_mounts`.
void check_ends(const Role& role, const std::vector<BindMount>& earlier_mounts,
                const BindMount& mount) {
  struct stat src {};
  if (::stat(outside_path(earlier_mounts, mount.src).c_str(), &src) != 0)
    refuse(role, "the source " + mount.src + " of a mount does not exist", "create it");
  struct stat dst {};
  if (::stat(outside_path(earlier_mounts, mount.dst).c_str(), &dst) != 0) {
    refuse(role,
           "the destination " + mount.dst + " of the mount of " + mount.src + " does not exist",
           "create it: replicas run in this machine's own file system, where a mount needs an "
           "existing destination");
  }
  if (S_ISDIR(src.st_mode) != S_ISDIR(dst.st_mode)) {
    refuse(role,
           "one of " + mount.src + " and " + mount.dst + " is a directory and the other is not",
           "mount directories at directories and files at files");
  }
}

/// Returns the bind mounts of a role. Reports its other mounts, which are ignored here.
std::vector<BindMount> bind_mounts(const Role& role, const std::string& base_dir,
                                   const Scheduler::OnFinding& on_finding) {
  std::vector<BindMount> out;
  for (const Mount& wanted : role.mounts) {
    if (wanted.kind != MountKind::kBind) {
      const bool volume = wanted.kind == MountKind::kVolume;
      on_finding(
          {Finding::Kind::kIgnored, role.name, "mounts",
           volume ? "this machine has no volumes: " + wanted.src + " is not mounted"
                  : "replicas see all devices of this machine: " + wanted.src + " is not mounted"});
      continue;
    }
    if (wanted.dst.empty() || wanted.dst.front() != '/') {
      refuse(role, "the destination '" + wanted.dst + "' of a mount is not an absolute path",
             "begin it with /");
    }
    BindMount mount{absolute_path(base_dir, wanted.src), wanted.dst, wanted.read_only};
    check_ends(role, out, mount);
    out.push_back(std::move(mount));
  }
  return out;
}

bool file_exists(const std::string& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0;
}

}  // namespace

ReplicaNeeds role_needs(const Role& role, const LocalOptions& options, const std::string& base_dir,
                        const Scheduler::OnFinding& on_finding) {
  ReplicaNeeds needs;
  const Resource& resource = role.resource;
  if (options.lease_gpus && resource.gpu > 0) needs.gpus = resource.gpu;
  if (resource.mem_mb > kMostMebibytes) refuse(role, "its memory is out of range", "");
  needs.limits.enforce = options.enforce;
  if (options.enforce != Enforce::kNone) {
    needs.limits.cpu_milli = std::max(resource.cpu.milli(), std::int64_t{0});
    needs.limits.memory_bytes = resource.mem_mb > 0 ? resource.mem_mb * kMebibyte : 0;
  }
  needs.mounts = bind_mounts(role, base_dir, on_finding);
  return needs;
}

void report_devices(const Role& role, const Host& host, const Call& call,
                    const Scheduler::OnFinding& on_finding) {
  if (role.resource.devices.empty()) return;
  StrList unknown;
  StrList present;
  StrList missing;
  for (const Mount& device : device_mounts(host, role.resource.devices, call, unknown))
    (file_exists(device.src) ? present : missing).push_back(device.src);
  const auto report = [&](std::string why) {
    on_finding({Finding::Kind::kIgnored, role.name, "resource.devices", std::move(why)});
  };
  if (!missing.empty()) report("not on this machine: " + joined_first(missing, kMostNamed));
  if (!unknown.empty()) {
    report("no device table has the files of " + joined_first(unknown, kMostNamed) +
           "; [devices.\"NAME\"] in a manifest adds them");
  }
  if (!present.empty()) {
    report("shared, not reserved, on this machine, where every replica sees " +
           joined_first(present, kMostNamed));
  }
}

}  // namespace slipway::local
