#include "core/cli/terminal/key_prompt.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "core/cli/terminal/standard_streams.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

// For restore_terminal(), which may run in a signal handler.
termios modes_before{};
int changed_terminal = -1;
pid_t changed_by = 0;  // the process that opened the prompt

bool is_in_foreground(int terminal) { return ::tcgetpgrp(terminal) == ::getpgrp(); }

bool watch(int epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  return ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace

bool is_on_terminal() { return ::isatty(STDERR_FILENO) == 1 || ::isatty(STDIN_FILENO) == 1; }

void restore_terminal() {
  if (changed_terminal < 0 || changed_by != ::getpid() || !is_in_foreground(changed_terminal))
    return;
  ::tcsetattr(changed_terminal, TCSANOW, &modes_before);
}

std::unique_ptr<KeyPrompt> KeyPrompt::open(int other_fd) {
  if (!is_on_terminal()) return nullptr;
  OwnedFd terminal(::open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!terminal || !is_in_foreground(terminal.get())) return nullptr;
  if (::tcgetattr(terminal.get(), &modes_before) != 0) return nullptr;
  std::unique_ptr<KeyPrompt> prompt(new KeyPrompt(std::move(terminal)));
  const int epoll = prompt->epoll_.get();
  if (epoll < 0 || !watch(epoll, prompt->terminal_.get()) || !watch(epoll, other_fd))
    return nullptr;
  termios keys = modes_before;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  if (::tcsetattr(prompt->terminal_.get(), TCSAFLUSH, &keys) != 0) return nullptr;
  changed_terminal = prompt->terminal_.get();
  changed_by = ::getpid();
  return prompt;
}

KeyPrompt::KeyPrompt(OwnedFd terminal)
    : terminal_(std::move(terminal)), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

KeyPrompt::~KeyPrompt() {
  restore_terminal();
  changed_terminal = -1;
}

void KeyPrompt::show(std::string_view text) const {
  const std::string line = "slipway: " + visible_text(text) + "\n";
  if (::isatty(STDERR_FILENO) == 1) return write_message(line);
  write_all(terminal_.get(), "\n" + line);  // the terminal has echoed the key, such as ^C
}

std::optional<char> KeyPrompt::take() const {
  if (!is_in_foreground(terminal_.get())) return '\0';
  char key = '\0';
  const ssize_t n = ::read(terminal_.get(), &key, 1);
  if (n == 1) return key;
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  return '\0';
}

}  // namespace slipway::cli
