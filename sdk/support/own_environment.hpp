// The environment variables of this process.
#pragma once

#include <unistd.h>

#include <cstring>

#include "slipway/dict.hpp"

namespace slipway {

/// Returns the variables of this process as "NAME=value". Leaves out entries without `=`, which
/// some programs make.
inline StrList own_environment() {
  StrList out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::strchr(*entry, '=') != nullptr) out.emplace_back(*entry);
  }
  return out;
}

}  // namespace slipway
