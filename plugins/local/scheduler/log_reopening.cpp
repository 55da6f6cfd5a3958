#include "plugins/local/scheduler/log_reopening.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kLongestScript = 1024 * 1024;

bool names_streams(std::string_view text) {
  constexpr std::array<std::string_view, 6> kNames = {
      "/dev/stderr", "/dev/stdout", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/proc/self/fd/2"};
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
    return text.find(name) != std::string_view::npos;
  });
}

bool is_shell(std::string_view program) {
  constexpr std::array<std::string_view, 6> kShells = {"sh", "bash", "dash", "ash", "ksh", "zsh"};
  const std::size_t slash = program.rfind('/');
  if (slash != std::string_view::npos) program.remove_prefix(slash + 1);
  return std::find(kShells.begin(), kShells.end(), program) != kShells.end();
}

/// Returns the text of the file, cut at kLongestScript; nothing for a binary or what is no file.
std::string script_at(const std::string& path) {
  struct stat status {};
  // A device may do something when it is opened.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string text(4, '\0');
  if (!fd || ::pread(fd.get(), text.data(), text.size(), 0) < 0 ||
      text ==
          "\x7f"
          "ELF")
    return {};
  text.resize(std::min(static_cast<std::size_t>(status.st_size), kLongestScript));
  const ssize_t length = ::pread(fd.get(), text.data(), text.size(), 0);
  text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return text;
}

}  // namespace

bool reopens_logs(const LaunchGroup& group) {
  const std::vector<std::string>& argv = group.argv;
  if (std::any_of(argv.begin(), argv.end(), names_streams)) return true;
  const auto script = [&](const std::string& word) {
    return script_at(word.front() == '/' ? word : group.cwd + '/' + word);
  };
  if (argv[0].find('/') != std::string::npos && names_streams(script(argv[0]))) return true;
  if (!is_shell(argv[0])) return false;
  const auto is_argument = [](const std::string& word) { return !word.empty() && word[0] != '-'; };
  const auto first = std::find_if(argv.begin() + 1, argv.end(), is_argument);
  return first != argv.end() && names_streams(script(*first));
}

}  // namespace slipway::local
