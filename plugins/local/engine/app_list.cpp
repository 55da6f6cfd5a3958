#include "plugins/local/engine/app_list.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/finished_file.hpp"
#include "plugins/local/engine/state_file.hpp"

namespace slipway::local {
namespace {

/// So many records are opened, or entries passed over, before a new index pays: it is as large as
/// all finished apps together.
constexpr std::size_t kWorthWriting = 32;

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

/// Calls `visit(name, inode)` for the directories in `fd` that can be sessions or apps.
template <typename Visit>
void for_each_directory(OwnedFd fd, Visit visit) {
  const std::unique_ptr<DIR, CloseDir> dir(fd ? ::fdopendir(fd.get()) : nullptr);
  if (!dir) return;
  fd.release();
  while (const dirent* entry = ::readdir(dir.get())) {
    const bool maybe_directory = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
    if (maybe_directory && is_safe_name(entry->d_name)) visit(entry->d_name, entry->d_ino);
  }
}

ListedApp listed(const AppSummary& app, std::uint64_t inode) {
  return {app.session,      app.app_id,     app.name,        app.scheduler, app.state,
          app.submitted_ns, app.started_ns, app.finished_ns, inode};
}

AppSummary summary_of(const ListedApp& app) {
  return {std::string(app.session),
          std::string(app.app_id),
          std::string(app.name),
          std::string(app.scheduler),
          app.state,
          app.submitted_ns,
          app.started_ns,
          app.finished_ns};
}

/// What there is, as views until somebody wants it: most callers want one scheduler's apps.
class Listing {
 public:
  explicit Listing(int root_fd) : root_fd_(root_fd), known_(read_finished(root_fd)) {
    apps_.reserve(known_.size() + kWorthWriting);
  }

  void add_session(const std::string& session) {
    OwnedFd fd(::openat(root_fd_, session.c_str(), kDirectory | O_NOFOLLOW));
    const int session_fd = fd.get();
    for_each_directory(std::move(fd), [&](const char* app_id, std::uint64_t inode) {
      if (const auto app = known_.find(session, app_id, inode)) {
        apps_.push_back(*app);
        ++found_;
      } else if (auto summary = read_listed(session_fd, session, app_id)) {
        if (is_terminal(summary->state)) ++opened_finished_;
        opened_.push_back(std::move(*summary));
        apps_.push_back(listed(opened_.back(), inode));
      }
    });
  }

  void keep_index() const {
    const std::size_t stale = known_.size() - found_;
    const bool mostly_stale = stale >= kWorthWriting && stale > known_.size() / 2;
    if (opened_finished_ > kWorthWriting || mostly_stale) write_finished(root_fd_, apps_);
  }

  /// Those of `scheduler`, or all when it is empty.
  std::vector<AppSummary> oldest_first(std::string_view scheduler) {
    if (!scheduler.empty()) {
      apps_.erase(std::remove_if(apps_.begin(), apps_.end(),
                                 [&](const auto& app) { return app.scheduler != scheduler; }),
                  apps_.end());
    }
    std::sort(apps_.begin(), apps_.end(), [](const ListedApp& a, const ListedApp& b) {
      return a.submitted_ns != b.submitted_ns ? a.submitted_ns < b.submitted_ns
                                              : a.app_id < b.app_id;
    });
    std::vector<AppSummary> out;
    out.reserve(apps_.size());
    std::transform(apps_.begin(), apps_.end(), std::back_inserter(out), summary_of);
    return out;
  }

 private:
  int root_fd_;
  FinishedIndex known_;
  std::deque<AppSummary> opened_;  // what is not in the index; stays where it is as it grows
  std::vector<ListedApp> apps_;    // points into the two
  std::size_t found_ = 0;          // in the index
  std::size_t opened_finished_ = 0;
};

}  // namespace

std::vector<AppSummary> list_apps(const std::string& state_root, std::string_view scheduler) {
  const OwnedFd root(::open(state_root.c_str(), kDirectory));
  // Reading it is not enough: what is below could not be opened.
  if (!root || ::faccessat(root.get(), ".", X_OK, 0) != 0) {
    if (errno == ENOENT) return {};
    throw system_error(errno == EACCES ? Code::kDenied : Code::kUnavailable,
                       "cannot list the apps in", state_root, errno,
                       "set XDG_STATE_HOME to a directory of your own");
  }
  Listing listing(root.get());
  for_each_directory(OwnedFd(::openat(root.get(), ".", kDirectory)),
                     [&](const char* session, std::uint64_t) { listing.add_session(session); });
  listing.keep_index();
  return listing.oldest_first(scheduler);
}

}  // namespace slipway::local
