#include "plugins/local/supervisor/record/success_file.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "sdk/support/ascii_json.hpp"
#include "slipway/json_text.hpp"

namespace slipway::local {
namespace {

std::string json_quoted(std::string_view text) { return ascii_json(json_quote(text)); }

/// A file that gets its name when it is complete. Written in pieces, so that its memory does not
/// grow with the app.
class AtomicFile {
 public:
  AtomicFile(int dir_fd, std::string name, mode_t mode)
      : dir_fd_(dir_fd), name_(std::move(name)), draft_('.' + name_) {
    create(mode);
    // A predecessor may have died while it wrote the draft.
    if (!fd_ && errno == EEXIST && ::unlinkat(dir_fd_, draft_.c_str(), 0) == 0) create(mode);
    if (!fd_) error_ = errno;
  }

  std::string& text() {
    if (buffer_.size() > kPiece) write_out();
    return buffer_;
  }

  bool finish() {
    write_out();
    if (error_ == 0 && ::renameat(dir_fd_, draft_.c_str(), dir_fd_, name_.c_str()) == 0)
      return true;
    if (error_ == 0) error_ = errno;
    ::unlinkat(dir_fd_, draft_.c_str(), 0);
    errno = error_;
    return false;
  }

 private:
  static constexpr std::size_t kPiece = 16384;
  void create(mode_t mode) {
    fd_.reset(::openat(dir_fd_, draft_.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
  }
  void write_out() {
    if (error_ == 0 && !write_all(fd_.get(), buffer_)) error_ = errno;
    buffer_.clear();
  }

  int dir_fd_;
  std::string name_;
  std::string draft_;
  OwnedFd fd_;
  std::string buffer_;
  int error_ = 0;  // errno of the first failure
};

void append_exit_code(std::string& out, const ReplicaRecord& record) {
  const int status = record.wait_status.load();
  if ((record.flags.load() & kHasWaitStatus) == 0) {
    out += "null";
  } else if (WIFSIGNALED(status)) {
    out += '-' + std::to_string(WTERMSIG(status));
  } else {
    out += std::to_string(WEXITSTATUS(status));
  }
}

std::string pid_text(const ReplicaRecord& record) {
  const std::int32_t pid = word_pid(record.word.load());
  return pid > 0 ? std::to_string(pid) : "null";
}

/// Calls `begin(role, first)` before the first replica of each role and `each(index, group,
/// replica, first)` per one.
template <typename Begin, typename Each>
void for_each_replica(AppFiles& files, Begin begin, Each each) {
  const std::string* role = nullptr;
  std::uint32_t index = 0;
  for (const LaunchGroup& group : files.plan().groups) {
    const bool new_role = role == nullptr || *role != group.role;
    if (new_role) begin(group.role, role == nullptr);
    role = &group.role;
    for (std::int32_t k = 0; k < group.count; ++k, ++index) {
      each(files.state().record(index), group, group.first_replica + k, new_role && k == 0);
    }
  }
}

}  // namespace

bool write_success_file(AppFiles& files, State final_state, std::int64_t finished_ns) {
  if (files.log_dir_fd() < 0) return errno = ENOENT, false;
  const LaunchPlan& plan = files.plan();
  AtomicFile file(files.log_dir_fd(), "SUCCESS", 0644);
  std::string& head = file.text();
  head = "{\n  \"app_id\": " + json_quoted(plan.app_id) +
         ",\n  \"log_dir\": " + json_quoted(plan.log_dir) +
         ",\n  \"final_state\": " + json_quoted(to_string(final_state)) + ",\n  \"last_updated\": ";
  char seconds[48];
  std::snprintf(seconds, sizeof seconds, "%" PRId64 ".%06" PRId64, finished_ns / 1'000'000'000,
                finished_ns % 1'000'000'000 / 1000);
  head += seconds;
  head += ",\n  \"roles\": {";
  const auto begin = [&](const std::string& role, bool first) {
    file.text() += first ? "\n    " : "\n    ],\n    ";
    file.text() += json_quoted(role) + ": [";
  };
  const auto each = [&](const ReplicaRecord& record, const LaunchGroup& group, std::int32_t replica,
                        bool first) {
    const std::string directory = plan.log_dir + '/' + group.role + '/' + std::to_string(replica);
    std::string error_file;
    if (!replica_variable(plan, group, replica, "TORCHELASTIC_ERROR_FILE", error_file))
      error_file = "<N/A>";
    std::string& out = file.text();
    out += first ? "\n      {\n" : ",\n      {\n";
    out += "        \"replica_id\": " + std::to_string(replica) +
           ",\n        \"pid\": " + pid_text(record) + ",\n        \"exitcode\": ";
    append_exit_code(out, record);
    out += ",\n        \"stdout\": " + json_quoted(directory + "/stdout.log") +
           ",\n        \"stderr\": " + json_quoted(directory + "/stderr.log") +
           ",\n        \"error_file\": " + json_quoted(error_file) + "\n      }";
  };
  for_each_replica(files, begin, each);
  file.text() += "\n    ]\n  }\n}";
  return file.finish();
}

}  // namespace slipway::local
