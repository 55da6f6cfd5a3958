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

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/record_check.hpp"

namespace slipway::local {
namespace {

constexpr int kAccess = PROT_READ | PROT_WRITE;

// For the signal handler, which can only reach globals.
char* guarded = nullptr;             // the mapping of the file; null: there is no guard
const char* copied = nullptr;        // the supervisor's copy
std::size_t guarded_bytes = 0;       // size of each of the two
volatile sig_atomic_t detached = 0;  // 1: the mapping is plain memory

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
    // The fault is not in the mapping, or no memory is left to replace it. The kernel repeats the
    // instruction, which now ends the process.
    ::signal(signal, SIG_DFL);
  }
  errno = error;
}

/// Bytes of a struct, from `begin` to `end`.
struct Bytes {
  std::size_t begin;
  std::size_t end;

  template <typename Struct>
  void copy(const Struct& from, Struct& to) const {
    std::memcpy(reinterpret_cast<char*>(&to) + begin, at(from), end - begin);
  }
  template <typename Struct>
  bool equal(const Struct& a, const Struct& b) const {
    return std::memcmp(at(a), at(b), end - begin) == 0;
  }

 private:
  template <typename Struct>
  const char* at(const Struct& part) const {
    return reinterpret_cast<const char*>(&part) + begin;
  }
};

// The parts of an entry and of the header that publish() and restore() copy or compare. They handle
// words and checks separately.
constexpr Bytes kHeadFacts{offsetof(ReplicaHead, wait_status), offsetof(ReplicaHead, check)};
constexpr Bytes kWholeTail{0, sizeof(ReplicaTail)};
constexpr Bytes kTailBeforeCursor{0, offsetof(ReplicaTail, combined_out)};
constexpr Bytes kCursor{offsetof(ReplicaTail, combined_out), offsetof(ReplicaTail, due_ns)};
constexpr Bytes kTailBehindCursor{offsetof(ReplicaTail, due_ns), sizeof(ReplicaTail)};
constexpr Bytes kTailBeforeCheck{offsetof(ReplicaTail, due_ns), offsetof(ReplicaTail, check)};
constexpr Bytes kTailAfterCheck{offsetof(ReplicaTail, role_due_ns), sizeof(ReplicaTail)};
// Without `sequence` and `app_state`, which lie before these bytes.
constexpr Bytes kHeaderBeforeCheck{offsetof(StateHeader, acknowledged),
                                   offsetof(StateHeader, check)};
constexpr Bytes kHeaderAfterCheck{offsetof(StateHeader, round_due_ns),
                                  offsetof(StateHeader, message)};
constexpr Bytes kMessage{offsetof(StateHeader, message), sizeof(StateHeader)};

/// Maps memory and copies the state to it.
char* copy_of(StateStore& file) {
  // A running app has written most of its state, so the copy gets its memory at once. That of a
  // fresh app, whose sequence number is still the first one, grows with its replicas.
  const bool is_fresh = file.header().sequence.load() <= 1;
  void* const memory = ::mmap(nullptr, file.size(), kAccess,
                              MAP_PRIVATE | MAP_ANONYMOUS | (is_fresh ? 0 : MAP_POPULATE), -1, 0);
  if (memory == MAP_FAILED)
    throw system_error(Code::kUnavailable, "cannot keep a copy of", "state.bin", errno);
  char* const out = static_cast<char*>(memory);
  std::memcpy(out, file.bytes(), tails_offset(file.header().fixed));
  StateView copy(out);
  for (std::uint32_t i = 0; i < copy.count(); ++i) {
    // The tail of a replica that was never started is zero in the file and in the new memory. Not
    // copying it saves memory.
    if (copy.head(i).word.load() != kFreshWord || file.tail(i).check.load() != 0)
      kWholeTail.copy(file.tail(i), copy.tail(i));
  }
  return out;
}

}  // namespace

StateGuard::StateGuard(int dir_fd, StateStore& file)
    : dir_fd_(dir_fd), file_(file), copy_(copy_of(file)) {
  copied = copy_.bytes();
  guarded_bytes = file.size();
  guarded = file.bytes();
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
  ::munmap(copy_.bytes(), file_.size());
}

void StateGuard::publish(std::uint32_t index) {
  const ReplicaEntry from = copy_.entry(index);
  const ReplicaEntry to = file_.entry(index);
  unseal(to);
  kTailBeforeCursor.copy(from.tail, to.tail);
  kTailAfterCheck.copy(from.tail, to.tail);  // role_due_ns, before the role_round that it is for
  kTailBeforeCheck.copy(from.tail, to.tail);
  kHeadFacts.copy(from.head, to.head);
  to.head.word.store(from.head.word.load(), std::memory_order_release);
  to.head.check.store(from.head.check.load());
  to.tail.check.store(from.tail.check.load());
  kCursor.copy(to.tail, from.tail);
}

void StateGuard::publish_header() {
  StateHeader& from = copy_.header();
  StateHeader& to = file_.header();
  unseal(to);
  // The length follows below (kHeaderBeforeCheck): readers must see no half message.
  if (!kMessage.equal(from, to)) {
    to.message_length.store(0, std::memory_order_release);
    kMessage.copy(from, to);
  }
  kHeaderAfterCheck.copy(from, to);
  kHeaderBeforeCheck.copy(from, to);
  to.app_state.store(from.app_state.load(), std::memory_order_release);
  to.sequence.store(from.sequence.load(), std::memory_order_release);
  to.check.store(from.check.load());
}

bool StateGuard::restore(std::uint32_t index) {
  const ReplicaEntry from = copy_.entry(index);
  if (from.head.check.load() == kBeingChanged) return false;
  const ReplicaEntry to = file_.entry(index);
  const bool is_whole = std::memcmp(&from.head, &to.head, sizeof to.head) == 0 &&
                        kTailBeforeCursor.equal(from.tail, to.tail) &&
                        kTailBehindCursor.equal(from.tail, to.tail);
  if (!is_whole) publish(index);
  return !is_whole;
}

bool StateGuard::restore_header() {
  if (copy_.header().check.load() == kBeingChanged) return false;
  if (std::memcmp(file_.bytes(), copy_.bytes(), sizeof(StateHeader)) == 0) return false;
  std::memcpy(file_.bytes(), copy_.bytes(), sizeof(StateHeader));
  return true;
}

/// Restores the strings and the role table, which never change.
bool StateGuard::restore_names() {
  const std::size_t bytes = copy_.header().fixed.entries_offset - sizeof(StateHeader);
  char* const names = file_.bytes() + sizeof(StateHeader);
  const char* const kept = copy_.bytes() + sizeof(StateHeader);
  if (std::memcmp(names, kept, bytes) == 0) return false;
  std::memcpy(names, kept, bytes);
  return true;
}

bool StateGuard::has_name() const {
  struct stat named {};
  struct stat mapped {};
  return ::fstatat(dir_fd_, kStateName, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(file_.file().get(), &mapped) == 0 && is_same_file(named, mapped);
}

bool StateGuard::repair(StateDepth depth) {
  struct stat info {};
  const bool complete = detached == 0 && ::fstat(file_.file().get(), &info) == 0 &&
                        static_cast<std::size_t>(info.st_size) == file_.size();
  bool repaired = false;
  // Also in a file that was removed or replaced, because rewrite() copies the mapped one.
  if (complete && depth != StateDepth::kSize) {
    repaired = restore_header();
    repaired = restore_names() || repaired;
  }
  if (complete && depth == StateDepth::kAll) {
    for (std::uint32_t i = 0; i < copy_.count(); ++i) repaired = restore(i) || repaired;
  }
  const bool has_place = complete && info.st_nlink > 0;
  if (has_place && (depth == StateDepth::kSize || has_name())) return repaired;
  // With the mapping detached, no truncation disturbs the writing of the new file.
  if (!complete && detached == 0 && !detach()) return repaired;
  return rewrite() || repaired;
}

bool StateGuard::rewrite() {
  ::unlinkat(dir_fd_, kStateDraftName, 0);
  OwnedFd fd(
      ::openat(dir_fd_, kStateDraftName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  const bool written =
      fd && ::posix_fallocate(fd.get(), 0, static_cast<off_t>(file_.size())) == 0 &&
      write_all(fd.get(), std::string_view(file_.bytes(), file_.size())) &&
      ::mmap(file_.bytes(), file_.size(), kAccess, MAP_SHARED | MAP_FIXED, fd.get(), 0) !=
          MAP_FAILED;
  if (!written) {
    ::unlinkat(dir_fd_, kStateDraftName, 0);
    return false;
  }
  detached = 0;
  ::renameat(dir_fd_, kStateDraftName, dir_fd_, kStateName);
  file_.file() = std::move(fd);
  return true;
}

}  // namespace slipway::local
