// The fault of calling back in another thread than that of the call.
#pragma once

#include <string>
#include <thread>

#include "slipway/abi/base.h"
#include "tests/bad_plugins/faulty/fault.hpp"

namespace faulty {

/// Returns what `function()` returns, which runs in another thread with the fault `fault`, such as
/// describes_in_a_thread.
template <class Function>
slipway_status call_back(const std::string& fault, Function function) {
  if (!broken(fault)) return function();
  slipway_status out = SLIPWAY_OK;
  std::thread([&] { out = function(); }).join();
  return out;
}

}  // namespace faulty
