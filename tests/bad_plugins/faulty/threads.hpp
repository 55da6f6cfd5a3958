// The fault of calling back in another thread than that of the call.
#pragma once

#include <string>
#include <thread>

#include "slipway/abi/base.h"
#include "tests/bad_plugins/faulty/fault.hpp"

namespace faulty {

/// Returns what `call_back()` returns, which runs in another thread if the fault is
/// VERB_in_a_thread, such as describes_in_a_thread.
template <class CallBack>
slipway_status in_this_thread(const std::string& verb, CallBack call_back) {
  if (!broken(verb + "_in_a_thread")) return call_back();
  slipway_status out = SLIPWAY_OK;
  std::thread([&] { out = call_back(); }).join();
  return out;
}

}  // namespace faulty
