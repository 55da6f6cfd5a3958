#include "plugins/local/engine/retention.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/draft_name.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/record_hold.hpp"
#include "plugins/local/engine/state_file.hpp"

namespace slipway::local {
namespace {

constexpr int kDirectory = O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

/// Removes from a foreign log directory what the engine made in it.
void remove_logs(const AppSnapshot& app) {
  OwnedFd logs(::open(app.log_dir.c_str(), kDirectory));
  if (!logs) return;
  ::unlinkat(logs.get(), "SUCCESS", 0);
  for (const auto& role : app.roles) {
    if (!is_safe_name(role.name)) continue;
    OwnedFd role_dir(::openat(logs.get(), role.name.c_str(), kDirectory));
    if (!role_dir) continue;
    for (const auto& replica : role.replicas) {
      const std::string number = std::to_string(replica.id);
      OwnedFd dir(::openat(role_dir.get(), number.c_str(), kDirectory));
      if (!dir) continue;
      for (const char* file : {"stdout.log", "stderr.log", "combined.log", "times.bin", "cuts.bin",
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
  ::rmdir(app.log_dir.c_str());
}

/// Moves the record out of sight first, so that nobody ever sees half of it; a removal that is
/// interrupted looks like an unfinished launch and is completed by the next one.
void remove_record(const AppRef& app) {
  OwnedFd root(::open(app.state_root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  OwnedFd session(root ? ::openat(root.get(), app.session.c_str(), kDirectory) : -1);
  const std::string grave = draft_name(app.app_id);
  if (!session ||
      ::renameat(session.get(), app.app_id.c_str(), session.get(), grave.c_str()) != 0 ||
      !remove_tree(session.get(), grave.c_str())) {
    throw system_error(errno == EACCES || errno == EPERM ? Code::kDenied : Code::kUnavailable,
                       "cannot delete", app_dir_path(app), errno);
  }
}

enum class Wish { kAsked, kPruned };

void delete_finished(const AppRef& app, Wish wish) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir)
    throw Error(Code::kNotFound, "there is no app " + app.app_id + " in session " + app.session);
  require_own(app, read_summary(app, dir.get()));
  const auto snapshot = read_app(app);
  // A supervisor that has published the end is about to leave; who was asked for it waits for that.
  OwnedFd lock;
  if (snapshot && is_terminal(snapshot->state)) {
    lock = wish == Wish::kAsked ? wait_for_lock(dir.get()) : try_lock(dir.get());
  }
  OwnedFd taken;
  if (lock && wish == Wish::kPruned && !take_record(dir.get(), taken)) lock.reset();
  if (!lock) {
    throw Error(Code::kPrecondition, "the app " + app.app_id + " is not finished",
                "cancel it first");
  }
  const std::string own = app_dir_path(app) + '/';
  if (wish == Wish::kAsked && snapshot->log_dir.compare(0, own.size(), own) != 0)
    remove_logs(*snapshot);
  remove_record(app);
}

}  // namespace

void delete_app(const AppRef& app) { delete_finished(app, Wish::kAsked); }

std::size_t prune_finished(const std::string& state_root, std::vector<AppSummary> apps,
                           const Retention& keep) {
  apps.erase(std::remove_if(apps.begin(), apps.end(),
                            [](const AppSummary& app) {
                              return !is_terminal(app.state) || app.foreign != Foreign::kNo;
                            }),
             apps.end());
  const auto end_of = [](const AppSummary& app) { return std::max(app.finished_ns, app.order); };
  std::sort(apps.begin(), apps.end(),
            [&](const AppSummary& a, const AppSummary& b) { return end_of(a) > end_of(b); });
  std::size_t deleted = 0;
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  for (std::size_t i = 0; i < apps.size(); ++i) {
    const auto age = now - std::chrono::nanoseconds(apps[i].finished_ns);
    const bool old = keep.age_ms >= 0 && age > std::chrono::milliseconds(keep.age_ms);
    if (i < keep.apps && !old) continue;
    try {
      delete_finished({state_root, apps[i].session, apps[i].app_id}, Wish::kPruned);
      ++deleted;
    } catch (const Error&) {
      // Somebody else deletes it, or may: not this caller's trouble.
    }
  }
  return deleted;
}

}  // namespace slipway::local
