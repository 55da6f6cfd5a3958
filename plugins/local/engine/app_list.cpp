#include "plugins/local/engine/app_list.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>

#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/finished_index.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/directory_stream.hpp"
#include "sdk/support/ownership.hpp"

namespace slipway::local {
namespace {

/// A new index is worthwhile if it saves opening more than this many records, or if at least this
/// many entries of the old one, and more than half of them, are those of deleted apps. Writing it
/// takes time for each finished app.
constexpr std::size_t kWorthWriting = 32;

/// Flags for a directory whose names the caller reads.
constexpr int kReadable = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

[[noreturn]] void cannot_list(const std::string& directory) {
  throw system_error(errno == EACCES ? Code::kDenied : Code::kUnavailable,
                     "cannot list the apps in", directory, errno, kStateHint);
}

/// Calls `visit(name, inode)` for the directories in `fd` that can be sessions or apps. Throws if
/// it cannot read all of them, so that a list never lacks an app silently.
template <typename Visit>
void for_each_directory(OwnedFd fd, const std::string& path, Visit visit) {
  const DirectoryStream dir(::fdopendir(fd.get()));
  if (!dir) cannot_list(path);
  fd.release();
  for (errno = 0; const dirent* entry = ::readdir(dir.get()); errno = 0) {
    const bool maybe_directory = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
    if (maybe_directory && is_safe_name(entry->d_name)) visit(entry->d_name, entry->d_ino);
  }
  if (errno != 0) cannot_list(path);
}

/// Returns whether another user owns the session's directory.
bool belongs_to_another(int root_fd, const std::string& session) {
  struct stat info {};
  return ::fstatat(root_fd, session.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         info.st_uid != ::geteuid();
}

/// Opens a session's directory. Empty if it is not a session of the caller.
OwnedFd open_session(int root_fd, const std::string& root, const std::string& session) {
  OwnedFd fd(::openat(root_fd, session.c_str(), kReadable | O_NOFOLLOW));
  if (fd || errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return fd;
  const int error = errno;
  if (error == EACCES && belongs_to_another(root_fd, session)) return fd;
  errno = error;
  cannot_list(root + '/' + session);
}

ListedApp listed_from(const AppSummary& app, std::uint64_t inode) {
  ListedApp out{app.session, app.app_id,       app.name,       app.scheduler,
                app.state,   app.submitted_ns, app.started_ns, app.finished_ns,
                inode,       app.order,        app.machine_tag};
  out.opened = &app;
  return out;
}

AppSummary summary_of(const ListedApp& app) {
  if (app.opened != nullptr) return *app.opened;
  AppSummary out;
  out.session = app.session;
  out.app_id = app.app_id;
  out.name = app.name;
  out.scheduler = app.scheduler;
  out.state = app.state;
  out.submitted_ns = app.submitted_ns;
  out.started_ns = app.started_ns;
  out.finished_ns = app.finished_ns;
  out.order = app.order;
  out.machine_tag = app.machine_tag;
  if (app.machine_tag != this_machine_tag()) out.foreign = Foreign::kMachine;
  return out;
}

/// All apps below a state root, as views of the index and of opened records. Only the apps that the
/// caller asks for become summaries.
class Listing {
 public:
  Listing(int root_fd, const std::string& root)
      : root_fd_(root_fd), root_(root), index_(read_finished(root_fd)) {
    apps_.reserve(index_.size() + kWorthWriting);
  }

  void add_session(const std::string& session) {
    OwnedFd fd = open_session(root_fd_, root_, session);
    if (!fd) return;
    const int session_fd = fd.get();
    const std::string path = root_ + '/' + session;
    for_each_directory(std::move(fd), path, [&](const char* app_id, std::uint64_t inode) {
      if (const auto app = index_.find(session, app_id, inode)) {
        apps_.push_back(*app);
        ++found_;
      } else if (auto summary = read_listed(session_fd, session, app_id)) {
        if (is_terminal(summary->state)) ++opened_finished_;
        opened_.push_back(std::move(*summary));
        apps_.push_back(listed_from(opened_.back(), inode));
      }
    });
  }

  /// Writes a new index if that makes later listings faster (kWorthWriting).
  void replace_index_if_worthwhile() const {
    const std::size_t stale = index_.size() - found_;
    const bool mostly_stale = stale >= kWorthWriting && stale > index_.size() / 2;
    if (index_.is_newer()) return;
    if (opened_finished_ > kWorthWriting || mostly_stale) write_finished(root_fd_, apps_);
  }

  /// Returns the result of list_apps().
  std::vector<AppSummary> oldest_first(std::string_view scheduler) {
    if (!scheduler.empty()) {
      const auto is_of_other_scheduler = [&](const ListedApp& app) {
        return app.scheduler != scheduler && (app.opened == nullptr || app.opened->problem.empty());
      };
      std::erase_if(apps_, is_of_other_scheduler);
    }
    std::sort(apps_.begin(), apps_.end(), [](const ListedApp& a, const ListedApp& b) {
      return a.order != b.order ? a.order < b.order : a.app_id < b.app_id;
    });
    std::vector<AppSummary> out;
    out.reserve(apps_.size());
    std::transform(apps_.begin(), apps_.end(), std::back_inserter(out), summary_of);
    return out;
  }

 private:
  int root_fd_;
  const std::string& root_;
  FinishedIndex index_;
  std::deque<AppSummary> opened_;    // apps that are not in the index; a deque never moves them
  std::vector<ListedApp> apps_;      // points into index_ and opened_
  std::size_t found_ = 0;            // number of apps from the index
  std::size_t opened_finished_ = 0;  // number of finished apps that are not in the index
};

}  // namespace

std::vector<AppSummary> list_apps(const std::string& state_root, std::string_view scheduler) {
  const OwnedFd root(::open(state_root.c_str(), kReadable));
  // A directory that may only be read lists names that cannot be opened.
  if (!root || !may_execute(root.get(), ".")) {
    if (errno == ENOENT) return {};
    cannot_list(state_root);
  }
  struct stat info {};
  const Distrust reason = ::fstat(root.get(), &info) == 0
                              ? distrust_directory(state_root, info)
                              : Distrust{state_root + " cannot be inspected"};
  if (reason && ::geteuid() != 0) refuse_record(reason);
  Listing listing(root.get(), state_root);
  // for_each_directory() closes its descriptor; `listing` still needs `root`.
  OwnedFd root_to_read(::openat(root.get(), ".", kReadable));
  if (!root_to_read) cannot_list(state_root);
  for_each_directory(std::move(root_to_read), state_root,
                     [&](const char* session, std::uint64_t) { listing.add_session(session); });
  // Root reads the directory of another user, but leaves no file there.
  if (!reason) listing.replace_index_if_worthwhile();
  return listing.oldest_first(scheduler);
}

std::int64_t order_after(const std::vector<AppSummary>& apps) {
  std::int64_t order = realtime_ns();
  for (const AppSummary& app : apps) order = std::max({order, app.order + 1, app.finished_ns + 1});
  return order;
}

}  // namespace slipway::local
