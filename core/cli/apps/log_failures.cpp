#include "core/cli/apps/log_failures.hpp"

#include "core/cli/terminal/diagnostics.hpp"

namespace slipway::cli {

bool LogFailures::add(const Error& error) {
  // A plug-in should wait before it reports a temporary failure. This limit ends the endless loop
  // that a plug-in without such a pause would cause.
  constexpr int kMostInARow = 1000;
  if (last_ != error.message()) say(LogLevel::kWarning, error.message());
  last_ = error.message();
  return ++count_ < kMostInARow;
}

}  // namespace slipway::cli
