#include "plugins/slurm/logs/log_files.hpp"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "plugins/slurm/state/replica_record.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/line_cut.hpp"
#include "slipway/error.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::slurm {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kChunk = 1 << 20;  // bytes
constexpr milliseconds kFirstPoll{100};  // between looks at the files without inotify
constexpr milliseconds kLongestPoll{2000};
constexpr milliseconds kWatchedPoll{5000};   // with inotify, in case an event is lost
constexpr milliseconds kLongestCheck{5000};  // between calls of has_ended_

}  // namespace

bool is_local_file_system(const std::string& directory) {
  // Values of statfs::f_type.
  constexpr std::array<unsigned long, 7> kShared = {
      0x6969,      // NFS
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
      0x00C36400,  // Ceph
      0x65735546,  // FUSE: BeeGFS, GlusterFS, sshfs
  };
  struct statfs info {};
  if (::statfs(directory.c_str(), &info) != 0) return false;
  const auto type = static_cast<unsigned long>(static_cast<unsigned int>(info.f_type));
  return std::find(kShared.begin(), kShared.end(), type) == kShared.end();
}

LogFiles::LogFiles(std::string directory, std::vector<LogFile> files, bool follow,
                   std::function<bool()> has_ended, Host host, int end_fd)
    : directory_(std::move(directory)),
      files_(std::move(files)),
      follow_(follow),
      has_ended_(std::move(has_ended)),
      end_fd_(end_fd),
      is_over_(!follow),
      poll_pause_(kFirstPoll),
      faults_(host) {
  struct stat info {};
  if (::stat(directory_.c_str(), &info) != 0) {
    throw Error(Code::kNotFound,
                "the directory of the job's logs, " + directory_ + ": " + std::strerror(errno),
                "it has been removed, or this host does not share it with the cluster");
  }
  if (!follow_ || !is_local_file_system(directory_)) return;
  watch_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (watch_.get() >= 0 && ::inotify_add_watch(watch_.get(), directory_.c_str(),
                                               IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0)
    watch_.reset();
}

void LogFiles::cancel() noexcept {
  cancelled_ = true;
  wake_.raise();
}

/// Keeps the error, and reads the file no more.
void LogFiles::give_up(LogFile& file, int error) {
  file.is_unreadable = true;
  faults_.add(Error(error == EACCES ? Code::kDenied : Code::kUnavailable,
                    "cannot read " + file.path + ": " + std::strerror(error)),
              follow_);
}

/// Delivers the part of the file beyond its offset. Returns whether it called the sink.
bool LogFiles::deliver(LogFile& file, const Sink& sink) {
  if (file.is_unreadable) return false;
  struct stat info {};
  if (::stat(file.path.c_str(), &info) != 0) {
    if (errno != ENOENT) give_up(file, errno);  // ENOENT: not created yet, or removed
    return false;
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const auto inode = static_cast<std::uint64_t>(info.st_ino);
  if (size < file.offset || (file.inode != 0 && inode != file.inode)) file.offset = 0;
  file.inode = inode;
  if (size == file.offset) return false;
  const OwnedFd fd = open_regular_file(file.path, file.owner);
  if (fd.get() < 0) {
    if (errno != ENOENT) give_up(file, errno);
    return false;
  }
  buffer_.resize(std::min<std::uint64_t>(kChunk, size - file.offset));
  const ssize_t count =
      ::pread(fd.get(), buffer_.data(), buffer_.size(), static_cast<off_t>(file.offset));
  if (count < 0) give_up(file, errno);
  if (count <= 0) return false;
  std::string_view bytes(buffer_.data(), static_cast<std::size_t>(count));
  constexpr bool kIsLast = false;  // the file may grow
  bytes = bytes.substr(0, follow_ ? whole_states(bytes, kIsLast) : whole_lines(bytes, kIsLast));
  if (bytes.empty()) {
    if (!is_over_ && !is_overdue(file)) return false;  // the line is still being written
    bytes = {buffer_.data(), static_cast<std::size_t>(count)};
  }
  file.unended_since = {};
  LogChunk chunk;
  chunk.role = file.role;
  chunk.replica = file.replica;
  chunk.stream = file.stream;
  chunk.bytes = bytes;
  sink(chunk);
  file.offset += bytes.size();
  return true;
}

/// Returns whether the rest of the last line has not come for kLinePatience.
bool LogFiles::is_overdue(LogFile& file) {
  const Clock::time_point now = Clock::now();
  if (file.unended_since == Clock::time_point()) file.unended_since = now;
  const Clock::time_point due = file.unended_since + kLinePatience;
  if (due > now) next_due_ = std::min(next_due_, due);
  return due <= now;
}

bool LogFiles::read_round(const Sink& sink) {
  bool some = false;
  next_due_ = Clock::time_point::max();
  for (LogFile& file : files_) {
    if (cancelled_) break;
    // When the files gain no more, each is read to its end before the next, as without `follow`.
    while (deliver(file, sink)) {
      some = true;
      if (!is_over_) break;
    }
  }
  return some;
}

bool LogFiles::has_job_ended() {
  const Clock::time_point now = Clock::now();
  if (now < next_check_) return false;
  const bool over = has_ended_();
  check_pause_ = std::min(check_pause_ * 3 / 2, kLongestCheck);
  next_check_ = Clock::now() + check_pause_;
  return over;
}

void LogFiles::wait(Clock::time_point until) {
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
  if (left <= 0) return;
  pollfd fds[3] = {{wake_.fd(), POLLIN, 0}, {watch_.get(), POLLIN, 0}, {end_fd_, POLLIN, 0}};
  ::poll(fds, 3, static_cast<int>(left));
  if (fds[2].revents != 0) next_check_ = Clock::now();
  if (fds[1].revents != 0) {
    alignas(inotify_event) std::array<char, 65536> events;
    while (::read(watch_.get(), events.data(), events.size()) > 0) continue;
  }
}

LogIterator::Next LogFiles::next(std::int64_t timeout_ms, const Sink& sink) {
  const Clock::time_point deadline =
      timeout_ms < 0 ? Clock::time_point::max() : Clock::now() + milliseconds(timeout_ms);
  while (true) {
    if (cancelled_) throw Error(Code::kCancelled, "cancelled");
    if (is_done_) {
      faults_.throw_if_any();
      return Next::kEnd;
    }
    if (!is_over_ && has_job_ended()) is_over_ = true;
    const bool some = read_round(sink);
    if (is_over_) is_done_ = !cancelled_;
    if (some) {
      poll_pause_ = kFirstPoll;
      return Next::kChunks;
    }
    if (is_done_) continue;
    const Clock::time_point now = Clock::now();
    if (now >= deadline) return Next::kTimeout;
    const milliseconds pause = watch_.get() >= 0 ? kWatchedPoll : poll_pause_;
    poll_pause_ = std::min(poll_pause_ * 2, kLongestPoll);
    wait(std::min({deadline, next_check_, next_due_, now + pause}));
  }
}

std::vector<LogFile> log_sources(const JobRecord& record, const LogQuery& query) {
  check_targets(query.app_id, role_sizes(record.app), query.targets);
  // The log files of a job of another cluster have only its number in their names.
  const std::string job = record.app_id.substr(0, record.app_id.find(';'));
  std::vector<LogFile> out;
  for (const Role& role : record.app.roles) {
    for (std::int32_t id = 0; id < role.num_replicas; ++id) {
      if (!query.wants(role.name, id)) continue;
      const std::string stem = record.log_dir + "/slurm-" + job + "-" + file_name_of(role.name) +
                               "-" + std::to_string(id);
      if (query.stream != Stream::kStderr)
        out.push_back({stem + ".out", role.name, id, Stream::kStdout, 0, 0, record.other_owner});
      if (query.stream != Stream::kStdout)
        out.push_back({stem + ".err", role.name, id, Stream::kStderr, 0, 0, record.other_owner});
    }
  }
  return out;
}

StrList missing_logs(const JobRecord& record, const std::vector<LogFile>& files) {
  StrList out;
  std::error_code ignored;
  for (const LogFile& file : files) {
    if (!std::filesystem::exists(file.path, ignored) &&
        read_replica(record.record_dir, file.role, file.replica))
      out.push_back(file.path);
  }
  return out;
}

}  // namespace slipway::slurm
