// Reads a key from the terminal while a command waits for something else.
#pragma once

#include <termios.h>

#include <memory>
#include <optional>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// Returns whether people can read messages and type signals: standard error is a terminal.
bool is_on_terminal();

/// Restores the modes that the terminal had before the KeyPrompt, if one exists and the process is
/// in the foreground. May be called in a signal handler.
void restore_terminal();

/// Switches the controlling terminal to single keys without echo, for the lifetime of the object.
/// At most one object may exist at a time. Not thread safe.
class KeyPrompt {
 public:
  /// Opens the prompt and discards input that was typed before. Returns nullptr if standard error
  /// is not a terminal, if the process is not in the foreground of its terminal, where it must not
  /// read, or if the system refuses. fd() is also readable when `other_fd` is. Borrows `other_fd`.
  static std::unique_ptr<KeyPrompt> open(int other_fd);
  ~KeyPrompt();
  KeyPrompt(const KeyPrompt&) = delete;
  KeyPrompt& operator=(const KeyPrompt&) = delete;

  /// Returns the descriptor that is readable after a key, or when `other_fd` is readable.
  int fd() const { return epoll_.get(); }
  /// Returns the oldest key, or nothing if there is none. Returns '\0' when the terminal is gone or
  /// the process is no longer in its foreground.
  std::optional<char> take() const;

 private:
  explicit KeyPrompt(OwnedFd terminal);

  OwnedFd terminal_;
  OwnedFd epoll_;
};

}  // namespace slipway::cli
