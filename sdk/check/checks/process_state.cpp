#include "sdk/check/checks/process_state.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <filesystem>

#include "sdk/check/trial/check.hpp"

extern "C" char** environ;

namespace slipway::check {

namespace {

std::string environment() {
  std::string out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    out += std::string(*entry) + '\n';
  return out;
}

mode_t present_umask() {
  const mode_t out = ::umask(0);
  ::umask(out);
  return out;
}

}  // namespace

ProcessState::ProcessState()
    : directory_(std::filesystem::current_path().string()),
      locale_(std::setlocale(LC_ALL, nullptr)),
      variables_(environment()),
      umask_(present_umask()) {
  for (int number = 1; number < NSIG; ++number)
    ::sigaction(number, nullptr, &actions_[static_cast<std::size_t>(number)]);
}

void ProcessState::require_unchanged() const {
  require(present_umask() == umask_, "it changed the umask");
  require(std::filesystem::current_path() == directory_, "it changed the working directory");
  require(locale_ == std::setlocale(LC_ALL, nullptr), "it changed the locale");
  require(variables_ == environment(), "it changed the environment");
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction after {};
    if (::sigaction(number, nullptr, &after) != 0) continue;
    require(after.sa_handler == actions_[static_cast<std::size_t>(number)].sa_handler,
            "it changed the action of signal " + std::to_string(number));
  }
}

void require_silence(const std::string& what) {
  std::fflush(nullptr);
  struct stat printed {};
  if (::fstat(STDERR_FILENO, &printed) != 0 || printed.st_size == 0) return;
  char text[200];
  const ssize_t size = ::pread(STDERR_FILENO, text, sizeof text, 0);
  std::string output(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!output.empty() && output.back() == '\n') output.pop_back();
  throw Broken(what + " wrote to stdout or stderr: " + output);
}

}  // namespace slipway::check
