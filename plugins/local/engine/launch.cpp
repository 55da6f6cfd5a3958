#include "plugins/local/engine/launch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/attempt_file.hpp"
#include "plugins/local/engine/draft_name.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/granted.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/record_hold.hpp"
#include "plugins/local/engine/state_file.hpp"
#include "plugins/local/engine/state_store.hpp"

namespace slipway::local {
namespace {

/// Steps that take back what was made, run newest first unless release() was called.
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  ~Undo() {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) (*step)();
  }
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }
  void release() { steps_.clear(); }

 private:
  std::vector<std::function<void()>> steps_;
};

constexpr char kStateDirectory[] = "state directory";

[[noreturn]] void cannot_create(const std::string& what, const std::string& path) {
  const int error = errno;
  std::string hint;
  const bool not_there = error == ENOENT || error == ENOTDIR;
  if (error == EACCES || error == EPERM || error == EROFS || not_there) {
    hint = what == kStateDirectory ? "set XDG_STATE_HOME to a directory that you may write to"
                                   : "choose a directory that you may write to";
  }
  if (error == ENOSPC || error == EDQUOT) hint = "make room on that file system";
  throw system_error(Code::kCantCreate, "cannot create the " + what, path, error, hint);
}

/// mkdir -p; what it made is taken back by `undo`.
void make_parents(const std::string& what, const std::string& path, mode_t mode, Undo& undo) {
  for (std::size_t slash = 1; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), mode) == 0) {
      undo.add([part] { ::rmdir(part.c_str()); });
    } else if (errno != EEXIST) {
      // A parent that may not even be looked at (EACCES on an existing one) shows at the last
      // component.
      const int error = errno;
      struct stat info {};
      if (::stat(part.c_str(), &info) == 0) continue;
      errno = error;
      cannot_create(what, path);
    }
  }
}

void make_log_dir(const std::string& path, Undo& undo) {
  const std::size_t slash = path.rfind('/');
  if (slash != 0) make_parents("log directory", path.substr(0, slash), 0755, undo);
  if (::mkdir(path.c_str(), 0755) != 0) {
    if (errno != EEXIST) cannot_create("log directory", path);
    throw Error(Code::kExists, "the log directory " + path + " exists already",
                "remove it or choose another log_dir");
  }
  undo.add([path] { ::rmdir(path.c_str()); });
}

/// Removes drafts whose makers on this machine died. The log directory that a draft may have made is
/// empty and goes with it.
void remove_leftovers(int session_fd) {
  OwnedFd fd(::openat(session_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* dir = fd ? ::fdopendir(fd.release()) : nullptr;
  const std::unique_ptr<DIR, int (*)(DIR*)> closer(dir, &::closedir);
  const std::string prefix = draft_prefix();
  while (const dirent* entry = dir != nullptr ? ::readdir(dir) : nullptr) {
    if (std::strncmp(entry->d_name, prefix.data(), prefix.size()) != 0) continue;
    OwnedFd draft(
        ::openat(session_fd, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!draft) continue;
    const OwnedFd lock = try_lock(draft.get());
    if (!lock) continue;
    // Its maker may have renamed it between our look and our lock.
    struct stat by_fd {};
    struct stat by_name {};
    if (::fstat(draft.get(), &by_fd) != 0 ||
        ::fstatat(session_fd, entry->d_name, &by_name, AT_SYMLINK_NOFOLLOW) != 0 ||
        by_fd.st_ino != by_name.st_ino) {
      continue;
    }
    try {
      StateStore state(draft.get());
      ::rmdir(state.log_dir().c_str());
    } catch (const Error&) {
      // It died before there was a state: nor was there a log directory.
    }
    remove_tree(session_fd, entry->d_name);
  }
}

/// Returns the app's description, on its way to the disk.
OwnedFd write_record(int draft_fd, const LaunchPlan& plan, const std::string& spec_json,
                     const std::string& path) {
  OwnedFd spec = write_new_file(draft_fd, "spec.json", spec_json);
  if (!spec) cannot_create("app record", path + "/spec.json");
  ::sync_file_range(spec.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  if (!write_new_file(draft_fd, "plan.bin", encode_plan(plan))) {
    cannot_create("app record", path + "/plan.bin");
  }
  const Granted ports = granted_ports(plan);
  if (!ports.empty() && !write_granted(draft_fd, kPortsName, ports))
    cannot_create("app record", path + '/' + kPortsName);
  try {
    create_state(draft_fd, plan, realtime_ns());
    if (has_retries(plan))
      create_attempts(draft_fd, static_cast<std::uint64_t>(replica_count(plan)));
  } catch (const Error& error) {
    throw Error(error.code(), "cannot create the app record in " + path + ": " + error.message(),
                error.hint());
  }
  return spec;
}

}  // namespace

OwnedFd launch_app(const LaunchRequest& request) {
  LaunchPlan plan = request.plan;
  plan.machine = this_machine();
  // Without it, a record could not tell a later boot from this one.
  boot_id();
  validate_plan(plan);
  for (const auto* path : {&request.state_root, &request.helper_path}) {
    if (path->empty() || path->front() != '/')
      throw Error(Code::kInvalid, "'" + *path + "' is not an absolute path");
  }
  if (plan.owned && request.owner_fd < 0)
    throw Error(Code::kInvalid, "an owned app needs the owner's descriptor");
  const AppRef app{request.state_root, plan.session, plan.app_id};
  const std::string final_path = app_dir_path(app);
  const bool own_logs = plan.log_dir.empty();
  if (own_logs) plan.log_dir = final_path + "/logs";

  // What the undo steps use is declared before them, so that it is still there when they run.
  OwnedFd session;
  const std::string draft = draft_name(app.app_id);
  std::string current;
  Undo undo;
  const std::string session_path = app.state_root + '/' + app.session;
  make_parents(kStateDirectory, session_path, 0700, undo);
  session.reset(::open(session_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!session) cannot_create(kStateDirectory, session_path);
  const std::string draft_path = session_path + '/' + draft;
  // Between making a draft and locking it, it looks like a leftover: one launch at a time in this
  // stretch.
  if (::flock(session.get(), LOCK_EX) != 0) cannot_create("app record", draft_path);
  remove_leftovers(session.get());
  if (::mkdirat(session.get(), draft.c_str(), 0700) != 0) {
    if (errno != EEXIST) cannot_create("app record", draft_path);
    throw Error(Code::kExists, "the app " + app.app_id + " is being started by another command");
  }
  current = draft;
  undo.add([&] {
    // Out of sight first: nobody may see half of a record.
    if (current != draft) ::renameat(session.get(), current.c_str(), session.get(), draft.c_str());
    remove_tree(session.get(), draft.c_str());
  });
  const OwnedFd dir(
      ::openat(session.get(), draft.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  OwnedFd lock = dir ? try_lock(dir.get()) : OwnedFd();
  if (!lock) cannot_create("app record", draft_path);
  ::flock(session.get(), LOCK_UN);
  const OwnedFd spec = write_record(dir.get(), plan, request.spec_json, draft_path);
  OwnedFd held = hold_record_at(dir.get());
  if (own_logs) {
    if (::mkdirat(dir.get(), "logs", 0755) != 0) cannot_create("log directory", plan.log_dir);
  } else {
    make_log_dir(plan.log_dir, undo);
  }
  if (::renameat2(session.get(), draft.c_str(), session.get(), app.app_id.c_str(),
                  RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) throw Error(Code::kExists, "the app " + app.app_id + " exists already");
    cannot_create("app record", final_path);
  }
  current = app.app_id;
  // The name first: what its wait writes often holds the description, too, and leaves little to wait for.
  if (::fsync(session.get()) != 0 || ::fdatasync(spec.get()) != 0)
    cannot_create("app record", final_path);
  // Until the acknowledgement our copy of the lock keeps everybody else away, so a failed start can
  // be taken back.
  start_helper(request.helper_path, "run", final_path, lock.get(),
               plan.owned ? request.owner_fd : -1, request.lease_fds);
  undo.release();
  return held;
}

}  // namespace slipway::local
