#include "plugins/local/logs/stream_cuts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

struct CutsFile {
  char magic[8];
  StreamCuts cuts;
};
static_assert(sizeof(CutsFile) == 24);

// The last character is the version.
constexpr char kMagic[8] = {'S', 'L', 'W', 'C', 'U', 'T', 'S', '1'};

bool write_cuts(int root, const char* path, const StreamCuts& cuts) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const OwnedFd fd(::openat(root, path, kFlags, 0644));
  if (!fd) return false;
  CutsFile file{{}, cuts};
  std::memcpy(file.magic, kMagic, sizeof kMagic);
  const ssize_t length = ::pwrite(fd.get(), &file, sizeof file, 0);
  if (length >= 0 && length < static_cast<ssize_t>(sizeof file)) errno = ENOSPC;
  return length == sizeof file;
}

/// Returns a hash that is never 0, because a Tail with 0 is empty.
std::uint64_t hash_of(std::string_view tail) {
  const std::uint64_t hash = std::hash<std::string_view>{}(tail);
  return hash != 0 ? hash : 1;
}

}  // namespace

StreamCuts read_cuts(int root, const char* path) {
  const OwnedFd fd(::openat(root, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  CutsFile file{};
  if (!fd || ::pread(fd.get(), &file, sizeof file, 0) != sizeof file) return {};
  return std::memcmp(file.magic, kMagic, sizeof kMagic) == 0 ? file.cuts : StreamCuts{};
}

std::uint64_t CutStreams::cut_bytes(StreamKey stream) const {
  if (cuts_.empty()) return 0;
  const auto found = cuts_.find(stream.replica);
  if (found == cuts_.end()) return 0;
  return stream.is_stderr ? found->second.err : found->second.out;
}

bool CutStreams::note(StreamKey stream, std::uint64_t cursor, const char* path) {
  StreamCuts& cuts = cuts_[stream.replica];
  (stream.is_stderr ? cuts.err : cuts.out) = cursor;
  if (stream.replica < tails_.size()) tails_[stream.replica][stream.is_stderr] = {};
  return write_cuts(root_, path, cuts);
}

void CutStreams::load(std::uint32_t replica, const char* path) {
  const StreamCuts cuts = read_cuts(root_, path);
  if (cuts.out + cuts.err > 0) cuts_[replica] = cuts;
}

void CutStreams::forget(std::uint32_t replica, const char* path) {
  if (replica < tails_.size()) tails_[replica] = {};
  if (cuts_.erase(replica) > 0) ::unlinkat(root_, path, 0);
}

void CutStreams::remember(StreamKey stream, std::string_view tail, std::int64_t changed_ns) {
  if (stream.replica >= tails_.size()) tails_.resize(std::size_t{stream.replica} + 1);
  if (tail.size() > kTail) tail.remove_prefix(tail.size() - kTail);
  tails_[stream.replica][stream.is_stderr] = {hash_of(tail), changed_ns};
}

const CutStreams::Tail& CutStreams::tail(StreamKey stream) const {
  static constexpr Tail kNothing;
  return stream.replica < tails_.size() ? tails_[stream.replica][stream.is_stderr] : kNothing;
}

bool CutStreams::is_same(StreamKey stream, std::string_view bytes) const {
  const std::uint64_t known = tail(stream).hash;
  return known == 0 || known == hash_of(bytes);
}

bool CutStreams::has_changed(StreamKey stream, std::int64_t changed_ns) const {
  const Tail& known = tail(stream);
  return known.hash != 0 && known.changed_ns != 0 && known.changed_ns != changed_ns;
}

bool CutStreams::is_suspect(StreamKey stream, std::int64_t changed_ns, std::int64_t now_ns) const {
  if (tail(stream).hash == 0) return false;
  return has_changed(stream, changed_ns) || now_ns - changed_ns < kClockTickNs;
}

}  // namespace slipway::local
