#include "plugins/local/scheduler/shared_log_dir.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipway::local {

namespace {

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

}  // namespace

std::string log_dir_of_user(const std::string& log_dir) {
  return is_shared(log_dir) ? log_dir + '/' + user_name() : log_dir;
}

}  // namespace slipway::local
