#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::faults {

/// Returns the number of the system call with this name, or -1 when the table does not have it.
long call_number(std::string_view name);

/// Returns the name of a system call, or `call_NUMBER` when the table does not have it.
std::string call_name(std::uint64_t number);

}  // namespace slipway::faults
