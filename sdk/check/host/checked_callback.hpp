// Callbacks of the kit for structs of the plug-in. The error about a struct that is smaller than in
// version 1.0 must not cross the plug-in, so they note it, and the check fails with it.
#pragma once

#include <optional>

#include "sdk/check/trial/check.hpp"
#include "slipway/abi/base.h"
#include "slipway/error.hpp"

namespace slipway::check {

/// Remembers the first defect of a struct. [any thread]
void note_malformed(const Error& error);

/// Returns the defect that note_malformed() remembers, if any, and forgets it. [any thread]
std::optional<Broken> take_malformed();

template <auto Function>
struct CheckedCallback;

template <class T, slipway_status (*Function)(void* self, const T* given)>
struct CheckedCallback<Function> {
  static slipway_status run(void* self, const T* given) noexcept {
    try {
      return Function(self, given);
    } catch (const Error& error) {
      note_malformed(error);
      return SLIPWAY_E_ABI;
    }
  }
};

/// `Function` as a callback that notes an Error and returns SLIPWAY_E_ABI for it.
template <auto Function>
inline constexpr auto kChecked = &CheckedCallback<Function>::run;

}  // namespace slipway::check
