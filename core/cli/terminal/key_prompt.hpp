// Reads a key from the terminal while a command waits for something else.
#pragma once

#include <termios.h>

#include <memory>
#include <optional>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// Returns whether a person can type signals: standard error or standard input is a terminal. One
/// of them may be redirected, as in `2>&1 | tee log`.
bool is_on_terminal();

/// Restores the modes that the terminal had before the KeyPrompt, if this process opened one that
/// still exists, and is in the foreground. Does nothing in a process that a plug-in forked. May be
/// called in a signal handler.
void restore_terminal();

/// Switches the controlling terminal to single keys without echo for the lifetime of the object. At
/// most one object may exist at a time. Not thread safe.
class KeyPrompt {
 public:
  /// Opens the prompt and discards input that was typed before. Returns nullptr if not
  /// is_on_terminal(), if the process is not in the foreground of its terminal, where it must not
  /// read, or if the system refuses. fd() is also readable when `other_fd` is. Borrows `other_fd`.
  static std::unique_ptr<KeyPrompt> open(int other_fd);
  ~KeyPrompt();
  KeyPrompt(const KeyPrompt&) = delete;
  KeyPrompt& operator=(const KeyPrompt&) = delete;

  /// Prints a question, or the answer to a key, whatever the log level is: on standard error if
  /// that is a terminal, otherwise on the controlling terminal.
  void show(std::string_view text) const;
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
