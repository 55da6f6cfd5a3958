// Collects errors about single logs, so that one unreadable log does not prevent reading the
// others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway {

/// Keeps the errors about single logs until the other logs are delivered: after an error, the host
/// reads nothing more (log_next in abi/scheduler.h).
class LogFaults {
 public:
  explicit LogFaults(Host host) : host_(host) {}

  /// Keeps the error. If `is_following`, also logs a warning at once, because the end of the logs
  /// may be hours away.
  void add(const Error& error, bool is_following) {
    if (is_following) {
      host_.log(LogLevel::kWarning,
                error.where().empty() ? error.message() : error.where() + ": " + error.message());
    }
    if (!first_) {
      first_ = error;
    } else {
      ++others_;
    }
  }

  /// Throws the first error, with the number of the others. Call it at the end of the logs. A
  /// second call does nothing.
  void throw_if_any() {
    if (!first_) return;
    const Error first = *std::exchange(first_, std::nullopt);
    if (others_ == 0) throw first;
    throw Error(first.code(),
                first.message() + "; " + std::to_string(others_) +
                    (others_ == 1 ? " more log cannot be read" : " more logs cannot be read"),
                first.hint(), first.where());
  }

 private:
  Host host_;
  std::optional<Error> first_;
  std::size_t others_ = 0;
};

}  // namespace slipway
