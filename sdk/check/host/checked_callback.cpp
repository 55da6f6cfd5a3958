#include "sdk/check/host/checked_callback.hpp"

#include <mutex>
#include <utility>

namespace slipway::check {

namespace {

std::mutex noting;
std::optional<Broken> first_defect;

}  // namespace

void note_malformed(const Error& error) {
  const std::lock_guard lock(noting);
  if (!first_defect)
    first_defect.emplace("a callback got a malformed struct: " + error.message(), error.hint());
}

std::optional<Broken> take_malformed() {
  const std::lock_guard lock(noting);
  return std::exchange(first_defect, std::nullopt);
}

}  // namespace slipway::check
