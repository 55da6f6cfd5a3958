#include "plugins/local/scheduler/directory_writers.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "slipway/user_namespace.hpp"

namespace slipway::local {

bool others_may_write(const std::string& directory) {
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) return false;
  if (info.st_uid != 0 && info.st_uid != ::geteuid()) return true;
  if (UserNamespace::of_process().is_unmapped(info.st_uid)) return true;
  if ((info.st_mode & S_IWOTH) != 0) return true;
  return (info.st_mode & S_IWGRP) != 0 && info.st_gid != 0 && info.st_gid != ::getegid();
}

}  // namespace slipway::local
