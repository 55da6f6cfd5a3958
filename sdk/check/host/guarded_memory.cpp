#include "sdk/check/host/guarded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

namespace {

bool newer_host = false;

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

void play_newer_host(bool newer) { newer_host = newer; }

bool plays_newer_host() { return newer_host; }

GuardedMemory::~GuardedMemory() {
  for (const Piece& piece : pieces_) ::munmap(piece.begin, piece.usable + page_size());
}

void* GuardedMemory::put(const void* data, std::size_t size) {
  const std::size_t page = page_size();
  const std::size_t usable = (size / page + 1) * page;
  void* memory =
      ::mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw NoResources(std::string("no memory for the inputs of a call: ") + std::strerror(errno));
  char* begin = static_cast<char*>(memory);
  ::mprotect(begin + usable, page, PROT_NONE);
  char* place = begin + usable - size;
  if (size != 0) std::memcpy(place, data, size);
  pieces_.push_back({begin, usable});
  return place;
}

void GuardedMemory::seal() {
  for (const Piece& piece : pieces_) ::mprotect(piece.begin, piece.usable, PROT_READ);
}

void GuardedMemory::vanish() {
  for (const Piece& piece : pieces_) ::mprotect(piece.begin, piece.usable, PROT_NONE);
}

}  // namespace slipway::check
