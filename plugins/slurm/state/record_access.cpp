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
std::string distrust_root(const std::string& state_root) {
  struct stat info {};
  if (::stat(state_root.c_str(), &info) != 0) return {};
  const std::string why = distrust(info);
  return why.empty() ? why : state_root + ' ' + why;
}

}  // namespace

void require_readable(const std::string& state_root) {
  if (::geteuid() == 0) return;
  if (const std::string why = distrust_root(state_root); !why.empty()) refuse_record(why);
}

void require_own(const std::string& state_root, const std::string& app_id) {
  if (const std::string why = distrust_root(state_root); !why.empty()) refuse_record(why);
  const std::string mark = mark_of_id(state_root, app_id);
  if (mark.empty()) return;
  const OwnedFd record(
      ::open((state_root + '/' + mark).c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  const std::string why = record ? distrust_record(record.get()) : std::string();
  if (!why.empty()) refuse_record(why);
}

std::optional<uid_t> other_owner(const std::string& record_dir) {
  const OwnedFd record(::open(record_dir.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!record || ::fstat(record.get(), &info) != 0) return std::nullopt;
  const std::string why = distrust_record(record.get());
  if (why.empty()) return std::nullopt;
  if (::geteuid() != 0) refuse_record(why);
  return info.st_uid;
}

}  // namespace slipway::slurm
