#include "plugins/local/supervisor/state_guard.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {
namespace {

constexpr char kDraftName[] = ".state.bin";
constexpr int kAccess = PROT_READ | PROT_WRITE;

// What the handler needs; a signal handler has no other way to it.
char* guarded = nullptr;
const char* copied = nullptr;
std::size_t guarded_bytes = 0;
volatile sig_atomic_t detached = 0;  // the mapping is plain memory

/// Memory with the copy's contents in the mapping's place. Async-signal-safe.
bool detach() {
  void* const memory =
      ::mmap(guarded, guarded_bytes, kAccess, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (memory == MAP_FAILED) return false;
  std::memcpy(memory, copied, guarded_bytes);
  detached = 1;
  return true;
}

void on_bus_error(int signal, siginfo_t* info, void*) {
  const int error = errno;
  const auto* const where = static_cast<const char*>(info->si_addr);
  if (guarded == nullptr || where < guarded || where >= guarded + guarded_bytes || !detach()) {
    // Not ours: the instruction is repeated and ends the process.
    ::signal(signal, SIG_DFL);
  }
  errno = error;
}

}  // namespace

StateGuard::StateGuard(int dir_fd, StateStore& state) : dir_fd_(dir_fd), state_(state) {
  // All at once where all will be written; what is fresh grows with the replicas.
  const bool is_fresh = state.header().sequence.load() <= 1;
  void* const memory = ::mmap(nullptr, state.size(), kAccess,
                              MAP_PRIVATE | MAP_ANONYMOUS | (is_fresh ? 0 : MAP_POPULATE), -1, 0);
  if (memory == MAP_FAILED)
    throw system_error(Code::kUnavailable, "cannot keep a copy of", "state.bin", errno);
  copy_ = static_cast<char*>(memory);
  std::memcpy(copy_, state.bytes(), state.header().fixed.records_offset);
  for (std::uint32_t i = 0; i < state.count(); ++i) {
    // What never changed is zero in both; leaving it alone costs no memory.
    if (state.record(i).word.load() != 0 || state.record(i).round_mark.load() != 0) keep(i);
  }
  copied = copy_;
  guarded_bytes = state.size();
  guarded = state.bytes();
  detached = 0;
  struct sigaction action {};
  action.sa_sigaction = &on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
  sigset_t bus;
  ::sigemptyset(&bus);
  ::sigaddset(&bus, SIGBUS);
  ::sigprocmask(SIG_UNBLOCK, &bus, nullptr);
}

StateGuard::~StateGuard() {
  guarded = nullptr;
  ::munmap(copy_, state_.size());
}

void StateGuard::keep(std::uint32_t index) {
  const auto copy = [&](const auto& part) {
    const char* const from = reinterpret_cast<const char*>(&part);
    std::memcpy(copy_ + (from - state_.bytes()), from, sizeof part);
  };
  copy(state_.head(index));
  copy(state_.tail(index));
}

void StateGuard::keep_header() {
  std::memcpy(copy_, state_.bytes(), offsetof(StateHeader, message) + kMessageBytes);
}

bool StateGuard::check() {
  struct stat info {};
  const bool whole = detached == 0 && ::fstat(state_.file().get(), &info) == 0 &&
                     static_cast<std::size_t>(info.st_size) == state_.size() && info.st_nlink > 0;
  if (whole) return false;
  // From here on the mapping cannot be pulled away while the file is made.
  if (detached == 0 && !detach()) return false;
  return rewrite();
}

bool StateGuard::rewrite() {
  ::unlinkat(dir_fd_, kDraftName, 0);
  OwnedFd fd(
      ::openat(dir_fd_, kDraftName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  const bool written =
      fd && ::posix_fallocate(fd.get(), 0, static_cast<off_t>(state_.size())) == 0 &&
      write_all(fd.get(), std::string_view(state_.bytes(), state_.size())) &&
      ::mmap(state_.bytes(), state_.size(), kAccess, MAP_SHARED | MAP_FIXED, fd.get(), 0) !=
          MAP_FAILED;
  if (!written) {
    ::unlinkat(dir_fd_, kDraftName, 0);
    return false;
  }
  detached = 0;
  ::renameat(dir_fd_, kDraftName, dir_fd_, "state.bin");
  state_.file() = std::move(fd);
  return true;
}

}  // namespace slipway::local
