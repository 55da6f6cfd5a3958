#include "plugins/local/engine/launch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "sdk/support/checksum.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/directory_stream.hpp"
#include "sdk/support/ownership.hpp"
#include "sdk/support/tree_removal.hpp"

namespace slipway::local {
namespace {

/// Steps that undo a launch. The destructor runs them, the newest first, unless release() was
/// called.
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

constexpr char kLogHint[] =
    "choose a log_dir below a directory of your own, or one that root has made sticky for all "
    "users, as /tmp is";

[[noreturn]] void cannot_create(const std::string& what, const std::string& path) {
  DirectoryMaker(what, "choose a directory that you may write to").fail(path, errno);
}

/// Makes the log directory of an app, which must not exist.
OwnedFd make_log_dir(const std::string& path, DirectoryMaker& maker) {
  const std::size_t slash = path.rfind('/');
  const OwnedFd parent = maker.open_path(path.substr(0, slash == 0 ? 1 : slash), 0755, true);
  OwnedFd made = maker.make_own(parent.get(), path.substr(slash + 1), 0755, path);
  if (made) return made;
  throw Error(Code::kExists, "the log directory " + path + " exists already",
              "remove it or choose another log_dir");
}

/// Removes the drafts of launches and deletions that died on this machine, and the empty log
/// directories of the launches. Keeps drafts of another version.
void remove_leftovers(int session_fd) {
  OwnedFd fd(::openat(session_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* dir = fd ? ::fdopendir(fd.release()) : nullptr;
  const DirectoryStream closer(dir);
  const std::string prefix = draft_prefix();
  while (const dirent* entry = dir != nullptr ? ::readdir(dir) : nullptr) {
    if (!std::string_view(entry->d_name).starts_with(prefix)) continue;
    OwnedFd draft(
        ::openat(session_fd, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!draft) continue;
    const OwnedFd lock = try_lock(draft.get());
    if (!lock) continue;
    // Its launch may have renamed it before this process took the lock.
    struct stat by_fd {};
    struct stat by_name {};
    if (::fstat(draft.get(), &by_fd) != 0 ||
        ::fstatat(session_fd, entry->d_name, &by_name, AT_SYMLINK_NOFOLLOW) != 0 ||
        !is_same_file(by_fd, by_name)) {
      continue;
    }
    try {
      StateStore state(draft.get());
      ::rmdir(state.log_dir().c_str());
    } catch (const OtherVersion&) {
      continue;  // a launch of that version removes it
    } catch (const Error&) {
      // A launch that died before it wrote the state had not made a log directory.
    }
    remove_tree(session_fd, entry->d_name);
  }
}

/// Renames the draft to the app's name. Returns false with errno set: EEXIST if the name exists.
bool publish(int session_fd, const char* draft, const char* name) {
  if (::renameat2(session_fd, draft, session_fd, name, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != EPERM) return false;
  // NFS lacks this flag, and a container may forbid the call. A plain rename is as safe: it never
  // replaces a directory that contains files, which every record does.
  if (::renameat(session_fd, draft, session_fd, name) == 0) return true;
  if (errno == ENOTEMPTY) errno = EEXIST;
  return false;
}

/// Writes the files of the record. Returns `spec.json`, which the kernel is writing to the disk.
OwnedFd write_record(int draft_fd, const LaunchPlan& plan, const std::string& spec_json,
                     const std::string& path) {
  OwnedFd spec = write_new_file(draft_fd, kSpecName, spec_json);
  if (!spec) cannot_create("app record", path + '/' + kSpecName);
  ::sync_file_range(spec.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  if (!write_new_file(draft_fd, kPlanName, encode_plan(plan)))
    cannot_create("app record", path + '/' + kPlanName);
  try {
    create_state(draft_fd, plan, realtime_ns());
  } catch (const Error& error) {
    throw Error(error.code(), "cannot create the app record in " + path + ": " + error.message(),
                error.hint());
  }
  return spec;
}

}  // namespace

OwnedFd launch_app(const LaunchRequest& request) {
  LaunchPlan plan = request.plan;
  boot_id();  // throws if it is unknown: a record needs it to recognise a later boot
  plan.machine = this_machine();
  validate_plan(plan);
  plan.spec_crc = crc32(request.spec_json);
  for (const auto* path : {&request.state_root, &request.helper_path}) {
    if (path->empty() || path->front() != '/')
      throw Error(Code::kInvalid, "'" + *path + "' is not an absolute path");
  }
  if (plan.owned && request.owner_fd < 0)
    throw Error(Code::kInvalid, "an owned app needs the owner's descriptor");
  const AppRef app{request.state_root, plan.session, plan.app_id};
  const std::string final_path = app_dir_path(app);
  const bool own_logs = plan.log_dir.empty();
  if (own_logs) plan.log_dir = final_path + '/' + kOwnLogsName;

  // The undo steps refer to these variables, so `undo` is declared after them.
  DirectoryMaker states("state directory", kStateHint);
  DirectoryMaker drafts("app record", kStateHint);
  DirectoryMaker log_dirs("log directory", kLogHint);
  OwnedFd session;
  const std::string draft = draft_name(app.app_id);
  std::string present_name;  // of the record's directory: the draft's, then the app's
  // Held until the undo steps have ended, so that no other command works on what they remove.
  OwnedFd dir;
  OwnedFd lock;
  Undo undo;
  const std::string session_path = app.state_root + '/' + app.session;
  undo.add([&] { states.take_back(); });
  session = states.open_own_levels(app.state_root, app.session);
  const std::string draft_path = session_path + '/' + draft;
  // An unlocked draft looks like that of a dead launch. So the session's directory stays locked
  // until the draft is locked.
  if (::flock(session.get(), LOCK_EX) != 0) cannot_create("app record", draft_path);
  remove_leftovers(session.get());
  dir = drafts.make_own(session.get(), draft, 0700, draft_path);
  if (!dir)
    throw Error(Code::kExists,
                "the app " + app.app_id + " is being started or deleted by another command");
  present_name = draft;
  undo.add([&] {
    // Give the record the draft's name again first, so that no command sees half of it.
    if (present_name != draft)
      ::renameat(session.get(), present_name.c_str(), session.get(), draft.c_str());
    remove_tree(session.get(), draft);
  });
  lock = try_lock(dir.get());
  if (!lock) cannot_create("app record", draft_path);
  ::flock(session.get(), LOCK_UN);
  const OwnedFd spec = write_record(dir.get(), plan, request.spec_json, draft_path);
  OwnedFd held = hold_record_at(dir.get());
  undo.add([&] { log_dirs.take_back(); });
  const OwnedFd logs = own_logs ? log_dirs.make_own(dir.get(), kOwnLogsName, 0755, plan.log_dir)
                                : make_log_dir(plan.log_dir, log_dirs);
  if (!publish(session.get(), draft.c_str(), app.app_id.c_str())) {
    if (errno == EEXIST) throw Error(Code::kExists, "the app " + app.app_id + " exists already");
    cannot_create("app record", final_path);
  }
  present_name = app.app_id;
  // Sync the directory first: that often writes spec.json also, and makes its sync short.
  if (::fsync(session.get()) != 0 || ::fdatasync(spec.get()) != 0)
    cannot_create("app record", final_path);
  // This process keeps its copy of the lock until the acknowledgement. No other command can take
  // over the app before, so a failed start can be undone.
  HelperStart start{request.helper_path, "run", final_path, lock.get()};
  if (plan.owned) start.owner_fd = request.owner_fd;
  start.lease_fds = request.lease_fds;
  start.logs_fd = logs.get();
  start_helper(start);
  undo.release();
  return held;
}

}  // namespace slipway::local
