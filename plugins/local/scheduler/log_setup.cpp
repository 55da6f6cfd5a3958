#include "plugins/local/scheduler/log_setup.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kLongestScript = 1024 * 1024;

bool is_shared(const std::string& directory) {
  struct stat info {};
  return ::stat(directory.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
         (info.st_mode & S_ISVTX) != 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  if (::getpwuid_r(::geteuid(), &entry, buffer, sizeof buffer, &found) == 0 && found != nullptr) {
    const std::string name = found->pw_name;
    if (!name.empty() && name.front() != '.' && name.find('/') == std::string::npos) return name;
  }
  return std::to_string(::geteuid());
}

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

/// Returns the text of the file, cut at kLongestScript. Returns nothing if it is a binary, or not a
/// regular file.
std::string script_at(const std::string& path) {
  struct stat status {};
  // Opening a device can have an effect.
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

}  // namespace

std::string log_dir_of_user(const std::string& log_dir) {
  return is_shared(log_dir) ? log_dir + '/' + user_name() : log_dir;
}

bool needs_pipes(const LaunchPlan& plan) {
  constexpr std::int64_t kMostReplicas = 256;
  std::int64_t replicas = 0;
  for (const LaunchGroup& group : plan.groups) replicas += group.count;
  return replicas <= kMostReplicas &&
         std::any_of(plan.groups.begin(), plan.groups.end(), reopens_logs);
}

}  // namespace slipway::local
