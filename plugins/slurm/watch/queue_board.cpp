#include "plugins/slurm/watch/queue_board.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <sstream>

#include "sdk/support/directory_maker.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kFirstWord = "slipway-queue-1";  // ends with the version of the format
constexpr const char* kLastLine = "end";               // an answer without it is incomplete

/// Returns the id of this boot of the machine, because the clock of an answer counts from the boot.
std::string boot_id() {
  std::string out = file_text("/proc/sys/kernel/random/boot_id").value_or("-");
  return out.substr(0, out.find('\n'));
}

/// A new file under a temporary name that starts with '.'. Removes the name in the end, unless
/// release() was called.
class NewFile {
 public:
  explicit NewFile(const std::string& directory) : path_(directory + "/.XXXXXX") {
    fd_ = OwnedFd(::mkostemp(path_.data(), O_CLOEXEC));
  }
  ~NewFile() {
    if (fd_) ::unlink(path_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  int fd() const { return fd_.get(); }
  bool write(const std::string& text) const {
    return fd_ && ::write(fd_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  bool rename_to(const std::string& path) { return ::rename(path_.c_str(), path.c_str()) == 0; }
  /// Returns the temporary name without the '.'.
  std::string unique_name() const { return path_.substr(path_.rfind('/') + 2); }
  OwnedFd release() { return std::move(fd_); }

 private:
  std::string path_;
  OwnedFd fd_;
};

std::string lines_of(const std::set<std::int64_t>& jobs) {
  std::string out;
  for (const std::int64_t job : jobs) out += std::to_string(job) + "\n";
  return out;
}

}  // namespace

QueueBoard::QueueBoard(std::string directory) : directory_(std::move(directory)) {
  try {
    DirectoryMaker("state directory", kStateHint).open_own_levels(directory_, "wanted");
  } catch (const Error&) {
    // Without a directory of its own, on a full disk for example, each process asks Slurm itself.
    directory_ = "/dev/null";  // nothing can be opened below it
  }
}

QueueBoard::~QueueBoard() {
  if (!wanted_path_.empty()) ::unlink(wanted_path_.c_str());
}

void QueueBoard::want(const std::set<std::int64_t>& jobs) {
  const std::lock_guard lock(mutex_);
  wanted_ = jobs;
  const std::string text = lines_of(jobs);
  if (wanted_file_) {
    // A process that reads a part of the text misses jobs only until its next query.
    (void)!::ftruncate(wanted_file_.get(), 0);
    (void)!::pwrite(wanted_file_.get(), text.data(), text.size(), 0);
    return;
  }
  NewFile file(directory_ + "/wanted");
  if (!file.write(text) || ::flock(file.fd(), LOCK_SH | LOCK_NB) != 0) return;
  const std::string path = directory_ + "/wanted/" + file.unique_name();
  if (!file.rename_to(path)) return;
  wanted_path_ = path;
  wanted_file_ = file.release();
}

std::set<std::int64_t> QueueBoard::wanted_by_all() const {
  std::set<std::int64_t> out;
  std::string own_path;
  {
    const std::lock_guard lock(mutex_);
    out = wanted_;
    own_path = wanted_path_;
  }
  std::error_code error;
  for (fs::directory_iterator entry(directory_ + "/wanted", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (path == own_path || entry->path().filename().string().front() == '.') continue;
    // NFS refuses an exclusive lock through a descriptor that is only for reading.
    const OwnedFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info {};
    if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    // The lock is free if the process that wrote the file has ended.
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
      ::unlink(path.c_str());
      continue;
    }
    std::istringstream words(file_text(path).value_or(""));
    for (std::int64_t job = 0; words >> job;) out.insert(job);
  }
  return out;
}

std::optional<QueueAnswer> QueueBoard::latest() const {
  std::istringstream text(file_text(directory_ + "/" + kAnswerName).value_or(""));
  std::string first;
  std::string boot;
  std::int64_t asked_ns = 0;
  if (!(text >> first >> boot >> asked_ns) || first != kFirstWord || boot != boot_id())
    return std::nullopt;
  QueueAnswer out{Clock::time_point(std::chrono::nanoseconds(asked_ns)), {}};
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    if (line == kLastLine) return out;
    std::istringstream words(line);
    std::int64_t job = 0;
    std::string states;
    if (!(words >> job)) return std::nullopt;
    words >> states;
    out.states[job] = states;
  }
  return std::nullopt;
}

void QueueBoard::publish(const QueueAnswer& answer) const {
  const auto asked = std::chrono::nanoseconds(answer.asked.time_since_epoch()).count();
  std::string text = std::string(kFirstWord) + " " + boot_id() + " " + std::to_string(asked) + "\n";
  for (const auto& [job, states] : answer.states) text += std::to_string(job) + " " + states + "\n";
  NewFile file(directory_);
  if (file.write(text + kLastLine + "\n") && file.rename_to(directory_ + "/" + kAnswerName))
    file.release();
}

std::optional<QueueAnswer> QueueBoard::ask(const IsEnough& is_enough, const Query& query) {
  const OwnedFd lock(
      ::open((directory_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return std::nullopt;
  if (auto answer = latest(); answer && is_enough(*answer)) return answer;
  return ask_alone(query);
}

QueueAnswer QueueBoard::ask_alone(const Query& query) {
  QueueAnswer out{Clock::now(), {}};
  out.states = query(wanted_by_all());
  publish(out);
  return out;
}

}  // namespace slipway::slurm
