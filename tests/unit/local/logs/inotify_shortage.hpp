// A shortage of inotify instances in a test.
#pragma once

#include <fcntl.h>
#include <sys/inotify.h>

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local::testing {

/// Takes all inotify instances of this user, until end().
class InotifyShortage {
 public:
  InotifyShortage() {
    // inotify_init1() also fails if the process has no descriptor left. The code under test needs
    // these.
    std::vector<OwnedFd> spare;
    for (int i = 0; i < kSpare; ++i) spare.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    while (instances_.size() < kMost) {
      OwnedFd instance(::inotify_init1(IN_CLOEXEC));
      if (!instance) break;
      instances_.push_back(std::move(instance));
    }
    spare.clear();
    is_complete_ = !OwnedFd(::inotify_init1(IN_CLOEXEC));
    if (!is_complete_)
      BOOST_TEST_MESSAGE("SKIPPED: this process cannot take all inotify instances of the user");
  }

  /// Returns whether no instance is left, although the process has descriptors. If not, the test
  /// must be skipped.
  bool is_complete() const { return is_complete_; }

  /// Frees the instances.
  void end() { instances_.clear(); }

 private:
  static constexpr int kSpare = 50;
  static constexpr std::size_t kMost = 5000;  // a user who may have more skips the test

  std::vector<OwnedFd> instances_;
  bool is_complete_ = false;
};

}  // namespace slipway::local::testing
