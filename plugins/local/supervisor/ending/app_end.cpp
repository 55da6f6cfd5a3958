#include "plugins/local/supervisor/ending/app_end.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/transitions.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "plugins/local/supervisor/timing/end_time.hpp"
#include "sdk/support/ascii_json.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/json_text.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

std::string json_quoted(std::string_view text) { return ascii_json(json_quote(text)); }

/// A file that gets its name when it is complete. Writes the text in pieces, so the memory for it
/// does not grow with the app.
class AtomicFile {
 public:
  AtomicFile(int dir_fd, std::string name, std::string draft, mode_t mode)
      : dir_fd_(dir_fd), name_(std::move(name)), draft_(std::move(draft)) {
    create(mode);
    // A predecessor may have died while it wrote the draft.
    if (!fd_ && errno == EEXIST && ::unlinkat(dir_fd_, draft_.c_str(), 0) == 0) create(mode);
    if (!fd_) error_ = errno;
  }

  /// Returns the text to append to, without the pieces that are in the file already.
  std::string& text() {
    if (buffer_.size() > kPiece) write_out();
    return buffer_;
  }

  /// Gives the file its name. Returns false with errno set if a step failed.
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
  static constexpr std::size_t kPiece = 16384;  // bytes
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

/// Appends the exit code as TorchX has it: after a signal, the negative number of the signal.
void append_exit_code(std::string& out, const ReplicaEntry& entry) {
  const int status = entry.head.wait_status.load();
  if ((entry.head.flags.load() & kHasWaitStatus) == 0) {
    out += "null";
  } else if (WIFSIGNALED(status)) {
    out += '-' + std::to_string(WTERMSIG(status));
  } else {
    out += std::to_string(WEXITSTATUS(status));
  }
}

std::string pid_text(const ReplicaEntry& entry) {
  const std::int32_t pid = word_pid(entry.head.word.load());
  return pid > 0 ? std::to_string(pid) : "null";
}

/// Calls `begin(role, first)` before the first replica of each role, and `each(entry, group,
/// replica, first)` for each replica.
template <typename Begin, typename Each>
void for_each_replica(AppFiles& files, Begin begin, Each each) {
  const std::string* role = nullptr;
  std::uint32_t index = 0;
  for (const LaunchGroup& group : files.plan().groups) {
    const bool new_role = role == nullptr || *role != group.role;
    if (new_role) begin(group.role, role == nullptr);
    role = &group.role;
    for (std::int32_t k = 0; k < group.count; ++k, ++index) {
      each(files.state().entry(index), group, group.first_replica + k, new_role && k == 0);
    }
  }
}

/// Writes `<log dir>/SUCCESS`, TorchX's file about the end of an app, for every outcome, with the
/// keys and the layout of TorchX (Python's json.dump with indent=2). A replica that never ran has
/// null as pid and exitcode. One without an error file variable has "<N/A>". Readers never see half
/// a file. Returns an empty text, or why it cannot be written.
std::string write_success_file(AppFiles& files, AppState final_state, std::int64_t finished_ns) {
  if (files.log_dir_fd() < 0)
    return "the directory could not be opened, or another user may have changed it";
  const LaunchPlan& plan = files.plan();
  AtomicFile file(files.log_dir_fd(), kSuccessName, kSuccessDraft, 0644);
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
  const auto each = [&](const ReplicaEntry& entry, const LaunchGroup& group, std::int32_t replica,
                        bool first) {
    const std::string directory = plan.log_dir + '/' + group.role + '/' + std::to_string(replica);
    std::string error_file;
    if (!replica_variable(plan, group, replica, "TORCHELASTIC_ERROR_FILE", error_file))
      error_file = "<N/A>";
    std::string& out = file.text();
    out += first ? "\n      {\n" : ",\n      {\n";
    out += "        \"replica_id\": " + std::to_string(replica) +
           ",\n        \"pid\": " + pid_text(entry) + ",\n        \"exitcode\": ";
    append_exit_code(out, entry);
    out += ",\n        \"stdout\": " + json_quoted(directory + "/stdout.log") +
           ",\n        \"stderr\": " + json_quoted(directory + "/stderr.log") +
           ",\n        \"error_file\": " + json_quoted(error_file) + "\n      }";
  };
  for_each_replica(files, begin, each);
  file.text() += "\n    ]\n  }\n}";
  return file.finish() ? "" : std::strerror(errno);
}

/// Makes the end of the app's message say why `SUCCESS` could not be written. With an empty `why`,
/// only removes that part, which a predecessor may have added. Cuts the rest of the message if it
/// leaves no room.
void report_success_file(AppFiles& files, const std::string& why) {
  constexpr std::string_view kMissing = "SUCCESS is missing in the log directory: ";
  constexpr std::string_view kSeparator = "; ";
  std::string_view rest = files.state().message();
  const std::size_t reported = rest.rfind(kMissing);
  if (reported == std::string_view::npos && why.empty()) return;
  rest = rest.substr(0, reported);
  if (rest.ends_with(kSeparator)) rest.remove_suffix(kSeparator.size());
  if (why.empty()) return files.set_message(std::string(rest));
  const std::string last = std::string(kMissing) + why;
  std::string message(utf8_prefix(rest, kMessageBytes - kSeparator.size() - last.size()));
  if (!message.empty()) message += kSeparator;
  files.set_message(message + last);
}

AppState final_app_state(StopCause cause, bool role_failed) {
  if (cause == StopCause::kCancel) return AppState::kCancelled;
  return cause != StopCause::kNone || role_failed ? AppState::kFailed : AppState::kSucceeded;
}

}  // namespace

void record_app_end(AppFiles& files, bool role_failed) {
  const AppState final_state = final_app_state(files.state().stop_cause(), role_failed);
  if (files.state().app_state() != final_state)
    require_transition(files.state().app_state(), final_state);
  const StateHeader& header = files.state().header();
  const std::int64_t recorded_ns = header.finished_ns.load();
  const std::int64_t end_ns =
      recorded_ns != 0 ? recorded_ns
                       : end_time(header.started_ns.load(), header.started_boot_ns.load());
  report_success_file(files, write_success_file(files, final_state, end_ns));
  StateHeader& edited = files.edit_header();
  edited.finished_ns.store(end_ns);
  edited.app_state.store(static_cast<std::uint32_t>(final_state), std::memory_order_release);
  files.events().add(files.changed(), std::string("app ") + std::string(to_string(final_state)),
                     end_ns);
}

}  // namespace slipway::local
