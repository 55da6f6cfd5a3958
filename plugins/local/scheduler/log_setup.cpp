#include "plugins/local/scheduler/log_setup.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/local/scheduler/script_search.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::local {
namespace {

/// Returns whether the directory is sticky and other users may write to it.
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

/// Returns whether the arguments or scripts of the group name its own log files (log_setup.hpp).
bool reopens_logs(const LaunchGroup& group) {
  const std::vector<std::string>& argv = group.argv;
  ScriptSearch scripts(group.cwd);
  for (const std::string& word : argv)
    if (scripts.finds_in(word)) return true;
  const auto is_found = [&](const std::string& word) {
    return scripts.finds_in_file(word.front() == '/' ? word : group.cwd + '/' + word);
  };
  if (argv[0].find('/') != std::string::npos && is_found(argv[0])) return true;
  if (!is_shell(argv[0])) return false;
  // The shell's script; after -c a text, which is the path of no file.
  const auto is_argument = [](const std::string& word) { return !word.empty() && word[0] != '-'; };
  const auto first = std::find_if(argv.begin() + 1, argv.end(), is_argument);
  return first != argv.end() && is_found(*first);
}

}  // namespace

std::string log_dir_of_user(const std::string& log_dir) {
  return is_shared(log_dir) ? log_dir + '/' + user_name() : log_dir;
}

bool needs_pipes(const LaunchPlan& plan) {
  // Each replica takes two descriptors of the supervisor. The help of log_pipes names the number.
  constexpr std::int64_t kMostReplicas = 256;
  return replica_count(plan) <= kMostReplicas &&
         std::any_of(plan.groups.begin(), plan.groups.end(), reopens_logs);
}

}  // namespace slipway::local
