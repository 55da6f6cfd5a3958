#include "core/registry/trust.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "slipway/error.hpp"

namespace slipway::registry {

TrustPolicy TrustPolicy::of_process(bool elevated) {
  const uid_t user = geteuid();
  return {true, elevated && user == getuid() ? uid_t{0} : user};
}

void check_trusted(const TrustPolicy& policy, const std::string& path, const struct stat& st,
                   const char* what) {
  if (!policy.enabled) return;
  if (st.st_uid != 0 && st.st_uid != policy.user) {
    throw Error(Code::kDenied,
                fmt::format("{} {} is owned by uid {}, who is not trusted", what, path, st.st_uid),
                fmt::format("if you trust its content: chown {} '{}'", policy.user, path), path);
  }
  // Others may add files to a sticky directory, but not touch ours; theirs fail the owner check
  // above.
  const bool sticky_directory = S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX) != 0;
  if ((st.st_mode & S_IWOTH) != 0 && !sticky_directory) {
    throw Error(Code::kDenied, fmt::format("{} {} is world-writable", what, path),
                fmt::format("chmod o-w '{}'", path), path);
  }
}

void check_link_trusted(const TrustPolicy& policy, const std::string& path) {
  struct stat st {};
  if (!policy.enabled || lstat(path.c_str(), &st) != 0 || !S_ISLNK(st.st_mode)) return;
  if (st.st_uid == 0 || st.st_uid == policy.user) return;
  throw Error(Code::kDenied,
              fmt::format("{} is a link of uid {}, who is not trusted", path, st.st_uid),
              fmt::format("if you trust it: chown -h {} '{}'", policy.user, path), path);
}

void check_directory_trusted(const TrustPolicy& policy, const std::string& path) {
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
  check_trusted(policy, directory, st, "its directory");
}

}  // namespace slipway::registry
