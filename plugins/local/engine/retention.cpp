#include "plugins/local/engine/retention.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/deleted_apps.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/supervisor_connection.hpp"
#include "sdk/support/directory_stream.hpp"
#include "sdk/support/ownership.hpp"
#include "sdk/support/time_left.hpp"
#include "sdk/support/tree_removal.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr int kPathOnly = O_PATH | O_DIRECTORY | O_CLOEXEC;
// Limits the recursion into a record: a replica may have made directories of any depth in its logs.
constexpr int kDeepest = 64;

/// Removes the files that Slipway made in a log directory outside the record. Leaves mounted
/// directories alone, and those of other users, which may have replaced the app's.
void remove_logs(const AppSnapshot& app) {
  const std::size_t slash = app.log_dir.rfind('/');
  const std::string name = app.log_dir.substr(slash + 1);
  const OwnedFd parent(::open(app.log_dir.substr(0, slash + 1).c_str(), kPathOnly));
  const OwnedFd logs = parent ? open_on_same_mount(parent.get(), name.c_str()) : OwnedFd();
  struct stat info {};
  if (!logs || ::fstat(logs.get(), &info) != 0 || !distrust(info).empty()) return;
  for (const char* file : {kSuccessName, kSuccessDraft}) ::unlinkat(logs.get(), file, 0);
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
      // The supervisor renames the error file of an attempt that another one follows.
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

/// Renames the record to the name of a draft, then removes its logs and the rest. So no command
/// sees half of a record, and the next launch completes an interrupted removal. If a file cannot be
/// removed, the record gets its name back. The logs, where such a file is most likely, come first:
/// then the record is still complete.
void remove_record(const AppRef& app, int dir_fd) {
  const OwnedFd session(::openat(dir_fd, "..", kPathOnly));
  const std::string draft = draft_name(app.app_id);
  if (!session ||
      ::renameat(session.get(), app.app_id.c_str(), session.get(), draft.c_str()) != 0) {
    cannot_delete(app_dir_path(app), errno);
  }
  auto obstacle = remove_tree(dir_fd, kOwnLogsName);
  if (!obstacle) obstacle = remove_tree(session.get(), draft);
  if (!obstacle) return;
  ::renameat(session.get(), draft.c_str(), session.get(), app.app_id.c_str());
  const bool in_draft = obstacle->path.starts_with(draft);
  cannot_delete(
      app_dir_path(app) + '/' +
          (in_draft ? obstacle->path.substr(std::min(draft.size() + 1, obstacle->path.size()))
                    : obstacle->path),
      obstacle->error);
}

/// Takes the lock of a finished app for delete_app().
OwnedFd lock_on_request(const AppRef& app, int dir_fd, const Call& call) {
  const std::chrono::milliseconds limit(kAnswerMs);
  OwnedFd lock = wait_for_lock(dir_fd, limit, call);
  if (!lock && errno == EWOULDBLOCK) {
    const bool is_late = time_left(call, limit).count() == 0;
    throw does_not_exit(app, dir_fd, is_late ? Code::kTimeout : Code::kTemporary);
  }
  return lock;
}

/// Deletes the app because of `rule`; empty: on request, during `call`.
void delete_finished(const AppRef& app, std::string_view rule, const Call& call) {
  const bool is_request = rule.empty();
  const OwnedFd dir = open_app_dir(app);
  if (!dir) throw no_such_app(app);
  require_own_record(app, dir.get());
  std::optional<AppSnapshot> snapshot;
  bool damaged = false;
  try {
    snapshot = read_app(app);
  } catch (const Error& error) {
    damaged = error.code() == Code::kInvalid && is_request;
    if (!damaged) throw;
  }
  if (!snapshot && !damaged) throw no_such_app(app);
  // A supervisor that has published the end of the app soon releases the lock; a request waits for
  // that. With a damaged record, only the lock shows whether the app has a supervisor.
  OwnedFd lock;
  errno = EWOULDBLOCK;  // of an app that is not finished
  if (damaged) lock = try_lock(dir.get());
  if (snapshot && is_terminal(snapshot->state)) {
    lock = is_request ? lock_on_request(app, dir.get(), call) : try_lock(dir.get());
  }
  if (!lock && errno != EWOULDBLOCK) cannot_delete(app_dir_path(app), errno);
  OwnedFd taken;
  if (lock && !is_request && !take_record(dir.get(), taken)) lock.reset();
  if (!lock) {
    throw Error(Code::kPrecondition, "the app " + app.app_id + " is not finished",
                "cancel it first");
  }
  if (!is_in_place(app, dir.get())) throw no_such_app(app);
  const std::string own = app_dir_path(app) + '/';
  if (is_request && snapshot && !snapshot->log_dir.starts_with(own)) remove_logs(*snapshot);
  remove_record(app, dir.get());
  note_deleted(app, snapshot ? snapshot->finished_ns : 0, rule);
}

// ---- pruning

/// Retention::bytes deletes no app that ended more recently than this.
constexpr std::chrono::hours kSafeFromBytes{24};
constexpr std::chrono::hours kMeasureEvery{1};
/// A file whose modification time is the time of the last measurement.
constexpr const char* kMeasured = ".measured";

/// Returns the later of the app's end and its `order`, which grows even if the clock is set back.
std::int64_t end_of(const AppSummary& app) { return std::max(app.finished_ns, app.order); }

/// Returns the run option behind a limit: "keep_days=30".
std::string rule(const char* option, double value) {
  std::array<char, 48> out{};
  std::snprintf(out.data(), out.size(), "%s=%.15g", option, value);
  return out.data();
}

std::string age_rule(const Retention& keep) {
  return rule("keep_days", static_cast<double>(keep.age_ms) / (24.0 * 3600 * 1000));
}

std::string number_rule(const Retention& keep) {
  return rule("keep_apps", static_cast<double>(*keep.apps));
}

std::string bytes_rule(const Retention& keep) {
  return rule("keep_gb", static_cast<double>(keep.bytes) / 1e9);
}

/// Deletes the app's record. Returns false if that fails: another command may be deleting the app,
/// or a later pruning may succeed.
bool prune(const std::string& state_root, const AppSummary& app, const std::string& rule) {
  try {
    delete_finished({state_root, app.session, app.app_id}, rule, {});
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Returns whether the last measurement below the state root is at least kMeasureEvery old, or lies
/// in the future. If so, records the present time as that of a new measurement; false if that
/// fails.
bool is_measurement_due(const std::string& state_root) {
  const OwnedFd root(::open(state_root.c_str(), kPathOnly));
  struct stat last {};
  if (!root) return false;
  if (::fstatat(root.get(), kMeasured, &last, AT_SYMLINK_NOFOLLOW) == 0) {
    const std::chrono::nanoseconds since(realtime_ns() - ns(last.st_mtim));
    if (since.count() >= 0 && since < kMeasureEvery) return false;
    return ::utimensat(root.get(), kMeasured, nullptr, AT_SYMLINK_NOFOLLOW) == 0;
  }
  return static_cast<bool>(create_private_file(root.get(), kMeasured, O_WRONLY));
}

/// Adds up the disk space of a directory. Follows no link in it, skips other file systems and files
/// below more than kDeepest directories, and counts files that it cannot read as 0.
class Measurement {
 public:
  explicit Measurement(dev_t device) : device_(device) {}

  void add(int dir_fd, const char* name, int depth) {
    struct stat info {};
    if (::fstatat(dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || info.st_dev != device_) return;
    bytes += std::int64_t{info.st_blocks} * 512;
    if (!S_ISDIR(info.st_mode) || depth == kDeepest) return;
    OwnedFd fd(::openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    const DirectoryStream entries(fd ? ::fdopendir(fd.get()) : nullptr);
    if (!entries) return;
    const int own = fd.release();  // the stream closes it
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string_view each = entry->d_name;
      if (each != "." && each != "..") add(own, entry->d_name, depth + 1);
    }
  }

  std::int64_t bytes = 0;

 private:
  dev_t device_;
};

/// Returns the bytes that the directory `name` and the files below it occupy.
std::int64_t disk_use(int dir_fd, const std::string& name) {
  struct stat info {};
  if (::fstatat(dir_fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  Measurement out(info.st_dev);
  out.add(dir_fd, name.c_str(), 0);
  return out.bytes;
}

}  // namespace

void delete_app(const AppRef& app, const Call& call) { delete_finished(app, {}, call); }

Pruned prune_finished(const std::string& state_root, std::vector<AppSummary> apps,
                      const Retention& keep) {
  std::erase_if(apps, [](const AppSummary& app) {
    return !is_terminal(app.state) || app.foreign != Foreign::kNo;
  });
  // The app that ended last comes first.
  std::sort(apps.begin(), apps.end(),
            [](const AppSummary& a, const AppSummary& b) { return end_of(a) > end_of(b); });
  Pruned out;
  const std::int64_t now_ns = realtime_ns();
  const auto age_of = [&](const AppSummary& app) {
    return std::chrono::nanoseconds(now_ns - end_of(app));
  };
  std::vector<const AppSummary*> kept;
  for (std::size_t i = 0; i < apps.size(); ++i) {
    const bool is_old =
        keep.age_ms >= 0 && age_of(apps[i]) > std::chrono::milliseconds(keep.age_ms);
    const bool is_too_many = keep.apps && i >= *keep.apps;
    if (!is_old && !is_too_many) {
      kept.push_back(&apps[i]);
    } else if (prune(state_root, apps[i], is_old ? age_rule(keep) : number_rule(keep))) {
      ++out.apps;
    }
  }
  if (keep.bytes < 0 || !is_measurement_due(state_root)) return out;
  const OwnedFd root(::open(state_root.c_str(), kPathOnly));
  std::int64_t used = 0;  // by this app and all that ended later, deleted ones included
  for (const AppSummary* app : kept) {
    used += disk_use(root.get(), app->session + '/' + app->app_id);
    if (used <= keep.bytes || age_of(*app) < kSafeFromBytes) continue;
    if (!prune(state_root, *app, bytes_rule(keep))) continue;
    ++out.apps_over_bytes;
  }
  out.apps += out.apps_over_bytes;
  return out;
}

}  // namespace slipway::local
