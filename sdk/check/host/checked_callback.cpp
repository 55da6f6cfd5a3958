#include "sdk/check/host/checked_callback.hpp"

#include <mutex>
#include <utility>

namespace slipway::check {

namespace {

std::mutex mutex;
std::optional<Broken> malformed;

}  // namespace

void note_malformed(const Error& error) {
  const std::lock_guard lock(mutex);
  if (!malformed) malformed.emplace("it gave " + error.message(), error.hint());
}

std::optional<Broken> take_malformed() {
  const std::lock_guard lock(mutex);
  return std::exchange(malformed, std::nullopt);
}

}  // namespace slipway::check
