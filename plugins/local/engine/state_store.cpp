#include "plugins/local/engine/state_store.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_head.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

[[noreturn]] void cannot_create(int error) {
  throw system_error(Code::kCantCreate, "cannot write", "state.bin", error);
}

/// Writes the heads of `count` replicas before their first attempts.
bool write_fresh_heads(int fd, std::uint32_t count) {
  constexpr std::uint32_t kPiece = 2048;  // heads for each write
  std::string piece(std::min(count, kPiece) * sizeof(ReplicaHead), '\0');
  for (std::size_t at = 0; at < piece.size(); at += sizeof(ReplicaHead))
    std::memcpy(piece.data() + at + offsetof(ReplicaHead, word), &kFreshWord, sizeof kFreshWord);
  for (; count > kPiece; count -= kPiece) {
    if (!write_all(fd, piece)) return false;
  }
  return write_all(fd, std::string_view(piece).substr(0, count * sizeof(ReplicaHead)));
}

/// Sets kService in the fresh heads of the replicas of services.
bool mark_services(int fd, const StateFixed& fixed, const LaunchPlan& plan) {
  ReplicaHead head{};
  ReplicaTail tail{};
  head.word.store(kFreshWord);
  head.flags.store(kService);
  seal(ReplicaEntry{head, tail});
  auto at = static_cast<off_t>(fixed.entries_offset);
  for (const LaunchGroup& group : plan.groups) {
    for (std::int32_t k = 0; k < group.count; ++k, at += sizeof head) {
      if (group.rules.service && ::pwrite(fd, &head, sizeof head, at) != sizeof head) return false;
    }
  }
  return true;
}

/// Throws OtherVersion for a state file of another format than the one that this program writes.
void require_this_format(int fd) {
  StateFixed fixed{};
  const ssize_t n = ::pread(fd, &fixed, sizeof fixed, 0);
  if (n != static_cast<ssize_t>(sizeof fixed)) return;
  if (std::memcmp(fixed.magic, kStateMagic, sizeof fixed.magic) == 0 &&
      fixed.version != kStateVersion) {
    throw OtherVersion("state.bin", std::to_string(fixed.version), std::to_string(kStateVersion));
  }
}

}  // namespace

void create_state(int dir_fd, const LaunchPlan& plan, std::int64_t submitted_ns, const char* name) {
  const std::string head = build_state_head(plan, submitted_ns);
  const auto fixed = value_at<StateFixed>(head.data());
  const OwnedFd fd = create_private_file(dir_fd, name, O_RDWR);
  if (!fd) cannot_create(errno);
  if (const int error = ::posix_fallocate(fd.get(), 0, static_cast<off_t>(fixed.file_bytes)))
    cannot_create(error);
  if (!write_all(fd.get(), head) || !write_fresh_heads(fd.get(), fixed.replica_count) ||
      !mark_services(fd.get(), fixed, plan))
    cannot_create(errno);
}

void check_state_version(int dir_fd) {
  if (const OwnedFd fd = open_regular(dir_fd, kStateName, O_RDONLY)) require_this_format(fd.get());
}

StateStore::StateStore(int dir_fd, const char* name) {
  struct stat info {};
  OwnedFd fd = open_regular(dir_fd, name, O_RDWR, &info);
  if (!fd) {
    throw system_error(Code::kUnavailable, "cannot open", "state.bin", errno);
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  require_this_format(fd.get());
  if (size < sizeof(StateHeader)) throw Error(Code::kUnavailable, "state.bin is too short");
  void* map = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (map == MAP_FAILED) throw system_error(Code::kUnavailable, "cannot map", "state.bin", errno);
  map_ = map;
  bytes_ = size;
  file_ = std::move(fd);
  std::string problem =
      check_state_head(std::string_view(static_cast<const char*>(map), size), size);
  if (problem.empty()) {
    look_at(static_cast<char*>(map));
    problem = check_entries();
  }
  if (!problem.empty()) {
    ::munmap(map_, bytes_);
    throw Error(Code::kUnavailable, "state.bin is damaged: " + problem);
  }
}

std::string StateStore::check_entries() {
  if (!is_whole_header(bytes())) return kHeaderDamage;
  // No supervisor has changed the entries yet.
  if (header().sequence.load() <= 1) return "";
  for (std::uint32_t i = 0; i < count(); ++i) {
    const char* const its_head = reinterpret_cast<const char*>(&head(i));
    const char* const its_tail = reinterpret_cast<const char*>(&tail(i));
    if (!is_whole_head(its_head) || !is_whole_tail(head(i).word.load(), its_tail))
      return record_damage(replica_name(i));
  }
  return "";
}

StateStore::~StateStore() { ::munmap(map_, bytes_); }

void StateStore::give_back_pages() { ::madvise(map_, bytes_, MADV_DONTNEED); }

}  // namespace slipway::local
