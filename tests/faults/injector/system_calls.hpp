#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::faults {

/// Returns the number of the system call with this name, or -1 if system_calls.cpp lacks it.
long call_number(std::string_view name);

/// Returns the name of a system call, or `call_NUMBER` if system_calls.cpp lacks it.
std::string call_name(std::uint64_t number);

}  // namespace slipway::faults
