// The kinds of run options. A table of options is a function that calls a visitor with every
// option: its name and help, its field, and its kind. The default is that of the field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace slipway::rules {

/// The name of an option and what a table says about it besides its kind.
struct Option {
  const char* name;
  const char* help;  ///< for users
  /// Whether users would notice too late that a scheduler ignored the option.
  bool is_missed_late = false;
};

// Kinds of values. Ranges include their ends, and have the unit of the option.

/// A bool.
struct Flag {};
/// A bool whose default the scheduler chooses for each app.
struct ChosenFlag {};
/// An integer.
struct Count {
  std::int64_t least;
  std::int64_t most;
};
/// A floating-point number.
struct Real {
  double least;
  double most;
};
/// A number of seconds; the field is in milliseconds.
struct Seconds {
  double least;
  double most;
};
/// A text.
struct Text {};
/// A number of MiB; the field is in bytes. 0: no limit.
struct Mebibytes {
  std::int64_t most;
};
/// A list of failures, as in RetryFilter.
struct FailureList {};
/// A dict with the fields of Backoff.
struct BackoffParts {};
/// A list of texts.
struct TextList {};
/// An integer without a default: the field is empty if users do not set the option.
struct OptionalCount {
  std::int64_t least;
  std::int64_t most;
};
/// One of several words. The position of the word is the value of the field.
template <std::size_t N>
struct Choice {
  std::array<const char*, N> words;
};

}  // namespace slipway::rules
