#include "plugins/slurm/state/record_access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/slurm/state/job_record.hpp"
#include "sdk/support/ownership.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

namespace {

/// Returns why the directory of all records is not safe; empty if it is, or if it is missing.
Distrust distrust_root(const std::string& state_root) {
  struct stat info {};
  if (::stat(state_root.c_str(), &info) != 0) return {};
  return distrust_directory(state_root, info);
}

}  // namespace

void require_readable(const std::string& state_root) {
  if (::geteuid() == 0) return;
  if (const Distrust reason = distrust_root(state_root)) refuse_record(reason);
}

void require_own(const std::string& state_root, const std::string& app_id) {
  if (const Distrust reason = distrust_root(state_root)) refuse_record(reason);
  const std::string mark = mark_of_id(state_root, app_id);
  if (mark.empty()) return;
  const OwnedFd record(
      ::open((state_root + '/' + mark).c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!record) return;
  if (const Distrust reason = distrust_record(record.get())) refuse_record(reason);
}

std::optional<uid_t> other_owner(const std::string& record_dir) {
  const OwnedFd record(::open(record_dir.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!record || ::fstat(record.get(), &info) != 0) return std::nullopt;
  const Distrust reason = distrust_record(record.get());
  if (!reason) return std::nullopt;
  if (::geteuid() != 0) refuse_record(reason);
  return info.st_uid;
}

}  // namespace slipway::slurm
