// The thread of a call, in which its callbacks must come.
#pragma once

#include <string>
#include <thread>

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

/// A part of a callback's context: notices a callback in another thread than that of the call.
/// Make it in the thread of the call, and verify it after the call.
class Caller {
 public:
  void called_back() {
    if (thread_ != std::this_thread::get_id()) was_elsewhere_ = true;
  }
  /// Throws Broken if a callback came in another thread.
  void verify(const std::string& function) const {
    require(!was_elsewhere_, function + " called back in another thread than that of the call",
            "pass what other threads find to the thread of the call, and call back there");
  }

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  bool was_elsewhere_ = false;
};

}  // namespace slipway::check
