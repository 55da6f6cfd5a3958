// Reads a key from the terminal while a command waits for something else.
#pragma once

#include <termios.h>

#include <memory>
#include <optional>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// Returns whether people can read messages and type signals: standard error is a terminal.
bool is_on_terminal();

/// Gives the terminal back the modes that it had before a KeyPrompt, if there is one. [in a signal
/// handler]
void restore_terminal();

/// Switches the controlling terminal to single keys without echo for its lifetime. At most one
/// exists at a time. Not thread safe.
class KeyPrompt {
 public:
  /// Drops what has been typed before. Returns nullptr if standard error is not a terminal, or if
  /// the process is not in the foreground of its terminal: it must not read there. `other_fd` wakes
  /// the caller as a key does, and is borrowed.
  static std::unique_ptr<KeyPrompt> open(int other_fd);
  ~KeyPrompt();
  KeyPrompt(const KeyPrompt&) = delete;
  KeyPrompt& operator=(const KeyPrompt&) = delete;

  /// Returns the descriptor that is readable after a key, or when `other_fd` is readable.
  int fd() const { return epoll_.get(); }
  /// Returns the oldest key; nothing if there is none. Returns '\0' once the terminal has gone or
  /// the process has lost its foreground.
  std::optional<char> take() const;

 private:
  explicit KeyPrompt(OwnedFd terminal);

  OwnedFd terminal_;
  OwnedFd epoll_;
};

}  // namespace slipway::cli
