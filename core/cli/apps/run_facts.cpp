#include "core/cli/apps/run_facts.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/runner/poll_timeout.hpp"
#include "core/spec/secret_names.hpp"
#include "slipway/lines.hpp"

namespace slipway::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGitLimit{500};  // a slow disk must not delay the run for long

/// Returns the name before the '=' at `equals` that follows the last of `separators`.
std::string_view name_before(std::string_view word, std::size_t equals, const char* separators) {
  const std::string_view before = word.substr(0, equals);
  const std::size_t start = before.find_last_of(separators);
  return start == std::string_view::npos ? before : before.substr(start + 1);
}

/// Returns whether the '=' at `equals` follows the name of a secret: `TOKEN` in `Token:user=1`, or
/// the whole word `PASS` in `--env=PASS=1`.
bool follows_secret(std::string_view word, std::size_t equals) {
  return spec::is_secret_name(name_before(word, equals, " ,;\"'")) ||
         spec::is_secret_name(name_before(word, equals, " ,;:=\"'"));
}

/// Returns the word with <redacted> in place of everything after a name that marks a secret.
std::string without_secret(const std::string& word) {
  for (std::size_t at = word.find('='); at != std::string::npos; at = word.find('=', at + 1)) {
    if (follows_secret(word, at)) return word.substr(0, at + 1) + spec::kRedacted;
  }
  return spec::holds_url_password(word) ? spec::kRedacted : word;
}

/// Returns <redacted> instead of a value that looks like a secret.
std::string redacted(const std::string& name, const std::string& value) {
  return spec::is_secret_name(name) || spec::holds_url_password(value) ? spec::kRedacted : value;
}

bool is_in_repository(const std::string& directory) {
  std::error_code error;
  // `git -C` also follows symbolic links before it looks at the parents.
  for (fs::path at = fs::canonical(directory, error); !error; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return true;
    if (!at.has_relative_path()) return false;
  }
  return false;
}

}  // namespace

StrList words_without_secrets(const StrList& words) {
  constexpr std::string_view kSwitch = "--show-secrets";  // Slipway's own, without a value
  StrList out;
  bool hides_next = false;
  for (const std::string& word : words) {
    out.push_back(hides_next ? spec::kRedacted : without_secret(word));
    // `--token VALUE`: an option whose value is the next word
    hides_next = word.rfind("--", 0) == 0 && word.find('=') == std::string::npos &&
                 word != kSwitch && spec::is_secret_name(word.substr(2));
  }
  return out;
}

void hide_secrets(std::vector<RecordedOption>& options) {
  for (RecordedOption& option : options) {
    // A value may itself have options or variables: `--export=TOKEN=x`, `TOKEN=x ./notify`.
    const auto hide = [&](const std::string& key, std::string& value) {
      value = without_secret(redacted(option.name, redacted(key, value)));
    };
    if (auto* text = std::get_if<std::string>(&option.value)) hide(option.name, *text);
    if (auto* list = std::get_if<StrList>(&option.value))
      for (std::string& item : *list) hide(option.name, item);
    if (auto* dict = std::get_if<StrDict>(&option.value))
      for (auto& [key, value] : *dict) hide(key, value);
  }
}

GitState::GitState(const std::string& directory) {
  if (!is_in_repository(directory)) return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  output_ = OwnedFd(ends[0]);
  const OwnedFd input(ends[1]);
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return;
  ::posix_spawn_file_actions_adddup2(&actions, input.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // A file system monitor could be any program, or a daemon that git starts. Programs that the
  // configuration names as filters still run, as in a `git status` by hand: it is the caller's own
  // configuration, because git refuses the repositories of other users (`safe.directory`). Without
  // optional locks, git does not write to the repository.
  std::array<std::string, 10> words{
      "git",    "--no-optional-locks", "-c",       "core.fsmonitor=false", "-C", directory,
      "status", "--porcelain=v2",      "--branch", "--untracked-files=no"};
  std::array<char*, words.size() + 1> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  if (::posix_spawnp(&git_, "git", &actions, nullptr, arguments.data(), environ) != 0) git_ = -1;
  ::posix_spawn_file_actions_destroy(&actions);
}

GitState::~GitState() {
  if (git_ < 0) return;
  ::kill(git_, SIGKILL);  // git is a child that was not waited for, so it still has its process id
  while (::waitpid(git_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string GitState::answer() {
  std::string out;
  const Clock::time_point deadline = Clock::now() + kGitLimit;
  std::array<char, 4096> buffer;
  while (true) {
    pollfd ready{output_.get(), POLLIN, 0};
    const int found = ::poll(&ready, 1, poll_timeout(deadline));
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return {};
    const ssize_t n = ::read(output_.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    if (n == 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

void GitState::read_into(RunRecord& record) {
  if (git_ < 0) return;
  constexpr std::string_view kRevision = "# branch.oid ";
  constexpr std::string_view kNoCommit = "(initial)";  // in a repository without commits
  const std::string text = answer();
  for (const std::string_view line : split_lines(text)) {
    if (line.substr(0, kRevision.size()) == kRevision) {
      const std::string_view revision = trimmed(line.substr(kRevision.size()));
      if (revision == kNoCommit) return;
      record.git_revision = revision;
      record.git_dirty = false;
    } else if (line.front() != '#') {
      record.git_dirty = true;
    }
  }
}

}  // namespace slipway::cli
