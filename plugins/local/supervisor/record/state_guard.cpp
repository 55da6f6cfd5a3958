#include "plugins/local/supervisor/record/state_guard.hpp"

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

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/record_check.hpp"

namespace slipway::local {
namespace {

constexpr int kAccess = PROT_READ | PROT_WRITE;

// For the signal handler, which can only reach globals.
char* guarded = nullptr;
const char* copied = nullptr;
std::size_t guarded_bytes = 0;
volatile sig_atomic_t detached = 0;  // the mapping is plain memory

/// Replaces the mapping by memory with the contents of the copy. Async-signal-safe.
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
    // The fault is not in the mapping. The kernel repeats the instruction, which ends the process.
    ::signal(signal, SIG_DFL);
  }
  errno = error;
}

}  // namespace

StateGuard::StateGuard(int dir_fd, StateStore& state) : dir_fd_(dir_fd), state_(state) {
  // A running app has written most of its state, so the copy gets its memory at once. That of a
  // fresh app grows with its replicas.
  const bool is_fresh = state.header().sequence.load() <= 1;
  void* const memory = ::mmap(nullptr, state.size(), kAccess,
                              MAP_PRIVATE | MAP_ANONYMOUS | (is_fresh ? 0 : MAP_POPULATE), -1, 0);
  if (memory == MAP_FAILED)
    throw system_error(Code::kUnavailable, "cannot keep a copy of", "state.bin", errno);
  copy_ = static_cast<char*>(memory);
  std::memcpy(copy_, state.bytes(), tails_offset(state.header().fixed));
  for (std::uint32_t i = 0; i < state.count(); ++i) {
    // The tail of a replica that was never started is zero in both. Not copying it saves memory.
    if (state.head(i).word.load() != kFreshWord || state.tail(i).check.load() != 0) copy(i);
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

void StateGuard::copy(std::uint32_t index) {
  const auto copy_part = [&](const auto& part) {
    const char* const from = reinterpret_cast<const char*>(&part);
    std::memcpy(copy_ + (from - state_.bytes()), from, sizeof part);
  };
  copy_part(state_.head(index));
  copy_part(state_.tail(index));
}

void StateGuard::copy_header() { std::memcpy(copy_, state_.bytes(), sizeof(StateHeader)); }

bool StateGuard::restore(std::uint32_t index) {
  const ReplicaRecord record = state_.record(index);
  if (record.head.check.load() == kBeingChanged && record.tail.check.load() == kBeingChanged)
    return false;
  return put_back(index);
}

bool StateGuard::put_back(std::uint32_t index) {
  const ReplicaRecord record = state_.record(index);
  bool differs = false;
  const auto compare = [&](const void* part, std::size_t bytes) {
    char* const at = static_cast<char*>(const_cast<void*>(part));
    const char* const kept = copy_ + (at - state_.bytes());
    if (std::memcmp(at, kept, bytes) == 0) return;
    std::memcpy(at, kept, bytes);
    differs = true;
  };
  compare(&record.head, sizeof record.head);
  // The merger changes the cursor between the two parts without a copy.
  constexpr std::size_t kCursor = offsetof(ReplicaTail, combined_out);
  constexpr std::size_t kBehind = offsetof(ReplicaTail, due_ns);
  compare(&record.tail, kCursor);
  compare(&record.tail.due_ns, sizeof record.tail - kBehind);
  return differs;
}

void StateGuard::confirm_claim(std::uint32_t index, std::uint64_t word) {
  const ReplicaRecord record = state_.record(index);
  put_back(index);
  record.tail.window_to_ns.store(boottime_ns());
  record.head.word.store(word, std::memory_order_release);
}

bool StateGuard::restore_header() {
  if (state_.header().check.load() == kBeingChanged) return false;
  if (std::memcmp(state_.bytes(), copy_, sizeof(StateHeader)) == 0) return false;
  std::memcpy(state_.bytes(), copy_, sizeof(StateHeader));
  return true;
}

/// Restores the strings and the role table, which never change.
bool StateGuard::restore_names() {
  StateFixed fixed{};
  std::memcpy(&fixed, copy_, sizeof fixed);
  const std::size_t bytes = fixed.records_offset - sizeof(StateHeader);
  char* const names = state_.bytes() + sizeof(StateHeader);
  const char* const kept = copy_ + sizeof(StateHeader);
  if (std::memcmp(names, kept, bytes) == 0) return false;
  std::memcpy(names, kept, bytes);
  return true;
}

bool StateGuard::has_name() const {
  struct stat named {};
  struct stat mapped {};
  return ::fstatat(dir_fd_, kStateName, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(state_.file().get(), &mapped) == 0 && is_same_file(named, mapped);
}

bool StateGuard::repair(StateDepth depth) {
  struct stat info {};
  const bool complete = detached == 0 && ::fstat(state_.file().get(), &info) == 0 &&
                        static_cast<std::size_t>(info.st_size) == state_.size();
  bool whole = complete && info.st_nlink > 0;
  bool repaired = false;
  if (whole && depth != StateDepth::kSize) {
    whole = has_name();
    repaired = restore_header();
    repaired = restore_names() || repaired;
  }
  if (whole && depth == StateDepth::kAll) {
    for (std::uint32_t i = 0; i < state_.count(); ++i) repaired = restore(i) || repaired;
  }
  if (whole) return repaired;
  // With the mapping detached, no truncation disturbs the writing of the new file.
  if (!complete && detached == 0 && !detach()) return repaired;
  return rewrite() || repaired;
}

bool StateGuard::rewrite() {
  ::unlinkat(dir_fd_, kStateDraftName, 0);
  OwnedFd fd(
      ::openat(dir_fd_, kStateDraftName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  const bool written =
      fd && ::posix_fallocate(fd.get(), 0, static_cast<off_t>(state_.size())) == 0 &&
      write_all(fd.get(), std::string_view(state_.bytes(), state_.size())) &&
      ::mmap(state_.bytes(), state_.size(), kAccess, MAP_SHARED | MAP_FIXED, fd.get(), 0) !=
          MAP_FAILED;
  if (!written) {
    ::unlinkat(dir_fd_, kStateDraftName, 0);
    return false;
  }
  detached = 0;
  ::renameat(dir_fd_, kStateDraftName, dir_fd_, kStateName);
  state_.file() = std::move(fd);
  return true;
}

}  // namespace slipway::local
