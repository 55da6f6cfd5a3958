#include "plugins/docker/state/submitter_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include "sdk/support/app_id.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/system_error.hpp"
#include "slipway/own_directory.hpp"

namespace slipway::docker {

namespace {

constexpr const char* kOwner = "owner";  // locked by the owner
constexpr const char* kCommand = "on_end";
constexpr const char* kCommandDraft = "on_end.new";
constexpr const char* kCommandLog = "on_end.log";

/// Returns the command as a text: its directory, its variables, an empty word, and the command. All
/// but the last end with NUL.
std::string text_of(const EndCommand& command) {
  std::string out = command.cwd + '\0';
  for (const std::string& entry : command.environment) out += entry + '\0';
  return out + '\0' + command.text;
}

std::optional<EndCommand> command_in(std::string_view text) {
  EndCommand out;
  const auto take = [&](std::string& word) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return false;
    word = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
  };
  if (!take(out.cwd)) return std::nullopt;
  for (std::string entry;; out.environment.push_back(std::move(entry))) {
    if (!take(entry)) return std::nullopt;
    if (entry.empty()) break;
  }
  out.text = text;
  return out;
}

bool is_own_directory(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && distrust(info).empty();
}

}  // namespace

SubmitterFiles::SubmitterFiles(std::string root, std::string app_id) : root_(std::move(root)) {
  if (is_app_id(app_id)) directory_ = root_ + "/" + app_id;
}

std::string SubmitterFiles::path_of(const char* name) const { return directory_ + "/" + name; }

bool SubmitterFiles::is_trusted() const {
  return !directory_.empty() && is_own_directory(directory_) && is_own_directory(root_);
}

OwnedFd SubmitterFiles::create(const char* name) {
  const std::string path = path_of(name);
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    throw system_error(Code::kCantCreate, "cannot create", directory_, errno);
  OwnedFd out(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!out) throw system_error(Code::kCantCreate, "cannot create", path, errno);
  return out;
}

OwnedFd SubmitterFiles::own() {
  OwnedFd out = create(kOwner);
  if (::flock(out.get(), LOCK_EX | LOCK_NB) != 0)
    throw system_error(Code::kCantCreate, "cannot lock", path_of(kOwner), errno);
  return out;
}

void SubmitterFiles::keep_end_command(const EndCommand& command) {
  const OwnedFd draft = create(kCommandDraft);
  const std::string path = path_of(kCommand);
  if (!write_all(draft.get(), text_of(command)) ||
      ::rename(path_of(kCommandDraft).c_str(), path.c_str()) != 0)
    throw system_error(Code::kCantCreate, "cannot write", path, errno);
}

SubmitterFiles::Owner SubmitterFiles::owner() const {
  if (!is_trusted()) return Owner::kNone;
  const OwnedFd file = open_regular_file(path_of(kOwner), ::geteuid());
  if (!file) return Owner::kNone;
  return ::flock(file.get(), LOCK_SH | LOCK_NB) == 0 ? Owner::kEnded : Owner::kAlive;
}

bool SubmitterFiles::has_end_command() const {
  return is_trusted() && ::access(path_of(kCommand).c_str(), F_OK) == 0;
}

std::optional<EndCommand> SubmitterFiles::take_end_command() {
  if (!is_trusted()) return std::nullopt;
  const auto text = file_text(path_of(kCommand), ::geteuid());
  if (!text || ::unlink(path_of(kCommand).c_str()) != 0) return std::nullopt;
  return command_in(*text);
}

OwnedFd SubmitterFiles::open_end_log() {
  return OwnedFd(::open(path_of(kCommandLog).c_str(),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
}

void SubmitterFiles::give_up() {
  if (is_trusted()) ::unlink(path_of(kOwner).c_str());
}

void SubmitterFiles::forget() {
  if (!is_trusted()) return;
  for (const char* name : {kOwner, kCommand, kCommandDraft}) ::unlink(path_of(name).c_str());
  ::rmdir(directory_.c_str());  // fails if the output of the command is there
}

void SubmitterFiles::remove() {
  if (!is_trusted()) return;
  ::unlink(path_of(kCommandLog).c_str());
  forget();
}

}  // namespace slipway::docker
