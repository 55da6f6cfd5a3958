// A shortage of descriptors in a test's process.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// Lets the process open `more` further files, as long as the object exists.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(int more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const OwnedFd lowest_free(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const rlimit lower{static_cast<rlim_t>(lowest_free.get() + more), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &lower);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace slipway
