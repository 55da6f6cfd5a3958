#include "sdk/check/host/guarded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

namespace {

/// Bytes of address space, enough for about 30 small pieces.
constexpr std::size_t kReserved = std::size_t{1} << 18;

bool newer_host = false;

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

[[noreturn]] void throw_no_memory() {
  throw NoResources(std::string("no memory for the inputs of a call: ") + std::strerror(errno));
}

}  // namespace

void play_newer_host(bool newer) { newer_host = newer; }

bool plays_newer_host() { return newer_host; }

GuardedMemory::~GuardedMemory() {
  for (const Pages& each : reserved_) ::munmap(each.begin, each.size);
}

void GuardedMemory::reserve(std::size_t size) {
  size = std::max(size, kReserved);
  void* memory = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_no_memory();
  free_ = {static_cast<char*>(memory), size};
  reserved_.push_back(free_);
}

void* GuardedMemory::put(const void* data, std::size_t size) {
  const std::size_t page = page_size();
  const std::size_t usable = (size / page + 1) * page;
  const std::size_t taken = usable + page;  // the last page is the guard
  if (free_.size < taken) reserve(taken);
  char* begin = free_.begin;
  if (::mprotect(begin, usable, PROT_READ | PROT_WRITE) != 0) throw_no_memory();
  free_ = {begin + taken, free_.size - taken};
  char* place = begin + usable - size;
  if (size != 0) std::memcpy(place, data, size);
  pieces_.push_back({begin, usable});
  return place;
}

void GuardedMemory::seal() {
  for (const Pages& piece : pieces_) ::mprotect(piece.begin, piece.size, PROT_READ);
}

void GuardedMemory::vanish() {
  for (const Pages& each : reserved_) ::mprotect(each.begin, each.size, PROT_NONE);
}

}  // namespace slipway::check
