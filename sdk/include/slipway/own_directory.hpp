// A directory of a plug-in's own below the directory for state.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "slipway/error.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Creates the directory `name` below host.state_dir(), with mode 0700, unless it exists, and
/// returns its path. For schedule(), which a dry run does not reach: the other calls read from
/// `host.state_dir(call) + "/" + name`, which may be missing.
///
/// What is in such a directory decides what runs as the user, so others must not be able to change
/// it: throws Error kDenied if it belongs to another user, others may write to it, or it is a link.
/// Throws Error kCantCreate if it cannot be created. Thread safe.
inline std::string make_own_directory(const Host& host, const std::string& name, const Call& call) {
  const std::string path = host.state_dir(call) + "/" + name;
  const auto fail = [&](Code code, const std::string& why) {
    throw Error(code, "cannot use the directory " + path + ": " + why,
                "give the scheduler another state_dir in a configuration file");
  };
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    fail(Code::kCantCreate, std::strerror(errno));
  const OwnedFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!directory || ::fstat(directory.get(), &info) != 0) fail(Code::kDenied, std::strerror(errno));
  if (info.st_uid != ::geteuid()) fail(Code::kDenied, "it belongs to another user");
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) fail(Code::kDenied, "others may write to it");
  return path;
}

}  // namespace sdk_1_0
}  // namespace slipway
