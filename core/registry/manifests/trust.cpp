#include "core/registry/manifests/trust.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "sdk/support/permission_hint.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/error.hpp"
#include "slipway/user_namespace.hpp"

namespace slipway::registry {

namespace {

constexpr const char* kSiteFile = "/etc/slipway/config.toml";

std::optional<uid_t> owner_of_executable() {
  struct stat st {};
  if (::stat("/proc/self/exe", &st) != 0) return std::nullopt;
  return st.st_uid;
}

// Returns the uid of root's files where the user namespace does not map the machine's root.
std::optional<uid_t> unmapped_root() {
  const UserNamespace& users = UserNamespace::of_process();
  return users.maps_outer_root() ? std::nullopt : users.unmapped();
}

template <class Number>
bool lists(const std::vector<Number>& all, Number one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_installed(Origin origin) { return origin == Origin::kVendor || origin == Origin::kShared; }

bool is_trusted(const TrustPolicy& policy, Origin origin, uid_t owner) {
  if (owner == 0 || owner == policy.user || lists(policy.owners, owner)) return true;
  if (is_installed(origin)) return owner_of_executable() == owner;
  return origin == Origin::kSite && unmapped_root() == owner;
}

// Returns the hint for a file of an untrusted owner. The hint makes root the owner, not the
// caller, because only root can change an owner, and other users read the file.
std::string owner_hint(const TrustPolicy& policy, Origin origin, const std::string& path,
                       const char* chown = "chown") {
  const std::string command = fmt::format("{} root {}", chown, shell_quoted(path));
  if (origin == Origin::kSite || is_installed(origin)) {
    return fmt::format(
        "if you trust its content: {}, or list the owner in `trusted_owners` of [site] in {}",
        command, kSiteFile);
  }
  if (policy.user == 0) return "if you trust its content: " + command;
  return "if you trust its content, use a copy that you own, or let root run: " + command;
}

std::string owner_text(uid_t owner) {
  const std::string text = fmt::format("uid {}, who is not trusted", owner);
  if (!UserNamespace::of_process().is_unmapped(owner)) return text;
  return text + ": this user namespace shows that uid for every user whom it does not map";
}

std::string group_text(gid_t group) {
  const struct group* entry = ::getgrgid(group);
  return entry != nullptr ? entry->gr_name : fmt::format("{}", group);
}

// Returns whether `group` is the private group of `user`: the primary group, with the user's name
// and no other member.
bool is_private_group(uid_t user, gid_t group) {
  const passwd* account = ::getpwuid(user);
  if (account == nullptr || account->pw_gid != group) return false;
  const std::string name = account->pw_name;
  const struct group* entry = ::getgrgid(group);
  if (entry == nullptr || entry->gr_name != name) return false;
  for (char** member = entry->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

}  // namespace

TrustPolicy TrustPolicy::of_process(bool elevated) {
  const uid_t user = geteuid();
  const bool is_unmapped = UserNamespace::of_process().is_unmapped(user);
  return {.user = is_unmapped || (elevated && user == getuid()) ? uid_t{0} : user};
}

void check_trusted(const TrustPolicy& policy, Origin origin, const std::string& path,
                   const struct stat& st, const char* what) {
  if (!policy.enabled) return;
  if (!is_trusted(policy, origin, st.st_uid)) {
    throw Error(Code::kDenied,
                fmt::format("{} {} is owned by {}", what, path, owner_text(st.st_uid)),
                owner_hint(policy, origin, path), path);
  }
  // In a sticky directory, users can add files but not replace those of a trusted owner.
  if (S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX) != 0) return;
  if ((st.st_mode & S_IWOTH) != 0) {
    throw Error(Code::kDenied, fmt::format("{} {} is world-writable", what, path),
                chmod_command("o-w", path), path);
  }
  if ((st.st_mode & S_IWGRP) != 0 && !lists(policy.groups, st.st_gid) &&
      !is_private_group(st.st_uid, st.st_gid)) {
    const std::string group = group_text(st.st_gid);
    throw Error(Code::kDenied, fmt::format("{} {} is writable by the group {}", what, path, group),
                fmt::format("{}, or list the group in `trusted_groups` of [site] in {}",
                            chmod_command("g-w", path), kSiteFile),
                path);
  }
}

void check_link_trusted(const TrustPolicy& policy, Origin origin, const std::string& path) {
  struct stat st {};
  if (!policy.enabled || lstat(path.c_str(), &st) != 0 || !S_ISLNK(st.st_mode)) return;
  if (is_trusted(policy, origin, st.st_uid)) return;
  throw Error(Code::kDenied, fmt::format("{} is a link of {}", path, owner_text(st.st_uid)),
              owner_hint(policy, origin, path, "chown -h"), path);
}

void check_directory_trusted(const TrustPolicy& policy, Origin origin, const std::string& path) {
  if (!policy.enabled) return;
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const std::string directory = parent.empty() ? std::string(1, '.') : parent;
  struct stat st {};
  if (stat(directory.c_str(), &st) != 0) {
    throw Error(
        Code::kUnavailable,
        fmt::format("its directory {} cannot be inspected: {}", directory, std::strerror(errno)),
        {}, path);
  }
  check_trusted(policy, origin, directory, st, "its directory");
}

OwnedFd open_untrusted(const std::string& path, int flags) {
  return OwnedFd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags));
}

}  // namespace slipway::registry
