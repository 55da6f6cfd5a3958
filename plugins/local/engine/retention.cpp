#include "plugins/local/engine/retention.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/ownership.hpp"
#include "plugins/local/engine/state_file.hpp"
#include "sdk/support/tree_removal.hpp"

namespace slipway::local {
namespace {

constexpr int kPathOnly = O_PATH | O_DIRECTORY | O_CLOEXEC;

/// Removes the files that Slipway made in a log directory outside the record. Leaves mounted
/// directories alone, and those of other users, which may have replaced the app's.
void remove_logs(const AppSnapshot& app) {
  const std::size_t slash = app.log_dir.rfind('/');
  const std::string name = app.log_dir.substr(slash + 1);
  const OwnedFd parent(::open(app.log_dir.substr(0, slash + 1).c_str(), kPathOnly));
  const OwnedFd logs = parent ? open_on_same_mount(parent.get(), name.c_str()) : OwnedFd();
  struct stat info {};
  if (!logs || ::fstat(logs.get(), &info) != 0 || !distrust(info).empty()) return;
  ::unlinkat(logs.get(), kSuccessName, 0);
  for (const auto& role : app.roles) {
    if (!is_safe_name(role.name)) continue;
    const OwnedFd role_dir = open_on_same_mount(logs.get(), role.name.c_str());
    if (!role_dir) continue;
    for (const auto& replica : role.replicas) {
      const std::string number = std::to_string(replica.id);
      const OwnedFd dir = open_on_same_mount(role_dir.get(), number.c_str());
      if (!dir) continue;
      for (const char* file :
           {kStdoutName.data(), kStderrName.data(), kCombinedName.data(), kTimesName, kCutsName,
            kStdoutPipe.data(), kStderrPipe.data(), kErrorFileName.data()}) {
        ::unlinkat(dir.get(), file, 0);
      }
      for (std::uint32_t attempt = 1; attempt <= replica.restarts + 1; ++attempt) {
        ::unlinkat(dir.get(), (std::string(kErrorFileName) + '.' + std::to_string(attempt)).c_str(),
                   0);
      }
      ::unlinkat(role_dir.get(), number.c_str(), AT_REMOVEDIR);
    }
    ::unlinkat(logs.get(), role.name.c_str(), AT_REMOVEDIR);
  }
  ::unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR);
}

[[noreturn]] void cannot_delete(const std::string& path, int error) {
  if (error == EXDEV || error == EBUSY) {
    throw Error(Code::kUnavailable, "cannot delete " + path + ": something is mounted there",
                "unmount it and delete the app again");
  }
  throw system_error(error == EACCES || error == EPERM ? Code::kDenied : Code::kUnavailable,
                     "cannot delete", path, error);
}

/// Renames the record to the name of a draft and removes it. So no command sees half of a record,
/// and the next launch completes an interrupted removal. Removes the logs first. If a file cannot
/// be removed, the record gets its name back.
void remove_record(const AppRef& app, int dir_fd) {
  const OwnedFd session(::openat(dir_fd, "..", kPathOnly));
  const std::string grave = draft_name(app.app_id);
  if (!session ||
      ::renameat(session.get(), app.app_id.c_str(), session.get(), grave.c_str()) != 0) {
    cannot_delete(app_dir_path(app), errno);
  }
  auto left = remove_tree(dir_fd, kOwnLogsName);
  if (!left) left = remove_tree(session.get(), grave);
  if (!left) return;
  ::renameat(session.get(), grave.c_str(), session.get(), app.app_id.c_str());
  const bool in_grave = left->path.starts_with(grave);
  cannot_delete(app_dir_path(app) + '/' +
                    (in_grave ? left->path.substr(std::min(grave.size() + 1, left->path.size()))
                              : left->path),
                left->error);
}

/// Returns whether the record still has its name: another command may have deleted it meanwhile.
bool is_in_place(const AppRef& app, int dir_fd) {
  struct stat by_fd {};
  struct stat by_name {};
  return ::fstat(dir_fd, &by_fd) == 0 &&
         ::fstatat(dir_fd, ("../" + app.app_id).c_str(), &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
         is_same_file(by_fd, by_name);
}

enum class Cause { kRequest, kPruning };

void delete_finished(const AppRef& app, Cause cause) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) throw no_such_app(app);
  require_own_record(app, dir.get());
  std::optional<AppSnapshot> snapshot;
  bool damaged = false;
  try {
    snapshot = read_app(app);
  } catch (const Error& error) {
    damaged = error.code() == Code::kInvalid && cause == Cause::kRequest;
    if (!damaged) throw;
  }
  if (!snapshot && !damaged) throw no_such_app(app);
  // A supervisor that has published the end of the app soon releases the lock; a request waits for
  // that. With a damaged record, only the lock shows whether the app has a supervisor.
  OwnedFd lock;
  if (damaged) lock = try_lock(dir.get());
  if (snapshot && is_terminal(snapshot->state)) {
    lock = cause == Cause::kRequest ? wait_for_lock(dir.get()) : try_lock(dir.get());
  }
  OwnedFd taken;
  if (lock && cause == Cause::kPruning && !take_record(dir.get(), taken)) lock.reset();
  if (!lock) {
    throw Error(Code::kPrecondition, "the app " + app.app_id + " is not finished",
                "cancel it first");
  }
  if (!is_in_place(app, dir.get())) throw no_such_app(app);
  const std::string own = app_dir_path(app) + '/';
  if (cause == Cause::kRequest && snapshot && !snapshot->log_dir.starts_with(own))
    remove_logs(*snapshot);
  remove_record(app, dir.get());
}

}  // namespace

void delete_app(const AppRef& app) { delete_finished(app, Cause::kRequest); }

std::size_t prune_finished(const std::string& state_root, std::vector<AppSummary> apps,
                           const Retention& keep) {
  std::erase_if(apps, [](const AppSummary& app) {
    return !is_terminal(app.state) || app.foreign != Foreign::kNo;
  });
  // The end, or the submission if the clock was set back between them.
  const auto end_of = [](const AppSummary& app) { return std::max(app.finished_ns, app.order); };
  std::sort(apps.begin(), apps.end(),
            [&](const AppSummary& a, const AppSummary& b) { return end_of(a) > end_of(b); });
  std::size_t deleted = 0;
  const std::int64_t now_ns = realtime_ns();
  for (std::size_t i = 0; i < apps.size(); ++i) {
    const std::chrono::nanoseconds age(now_ns - apps[i].finished_ns);
    const bool old = keep.age_ms >= 0 && age > std::chrono::milliseconds(keep.age_ms);
    if (i < keep.apps && !old) continue;
    try {
      delete_finished({state_root, apps[i].session, apps[i].app_id}, Cause::kPruning);
      ++deleted;
    } catch (const Error&) {
      // Another command deletes it, or a later pruning will.
    }
  }
  return deleted;
}

}  // namespace slipway::local
