// The bytes that a replica cut away from its own log files.
//
// `echo x > /dev/stderr` opens stderr.log once more and truncates it: the kernel resolves
// /proc/self/fd/2 to the file. The cursor of combined.log keeps counting, so the place in
// stderr.log is the cursor minus what was cut before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace slipway::local {

/// The longest tick of the kernel's clock (HZ=100): two changes of a file within one tick have the
/// same time.
inline constexpr std::int64_t kClockTickNs = 10'000'000;

/// Bytes of stdout.log and stderr.log that were copied and then cut away.
struct StreamCuts {
  std::uint64_t out = 0;
  std::uint64_t err = 0;
};

/// Reads cuts.bin at `path` below `root`. A missing or damaged file counts as nothing cut.
StreamCuts read_cuts(int root, const char* path);

/// One stream of a replica.
struct StreamKey {
  std::uint32_t replica = 0;
  bool is_stderr = false;
};

/// Recognises log files that were truncated and written again. The cuts are kept in cuts.bin, for
/// the next supervisor and for LineTimes. The remembered bytes are not kept: a successor recognises
/// only a file that is shorter than the copied bytes. Takes 32 bytes per replica, up to the highest
/// number that writes. For one thread.
class CutStreams {
 public:
  /// The number of compared bytes in front of the cursor.
  static constexpr std::size_t kTail = 64;

  /// `root` is borrowed; paths are relative to it and lead to the replica's cuts.bin.
  explicit CutStreams(int root) : root_(root) {}

  /// Returns the number of bytes of the stream that were cut away so far.
  std::uint64_t cut_bytes(StreamKey stream) const;

  /// Records that the file begins at `cursor` now. Returns false with errno set if cuts.bin cannot
  /// be written; the cut then counts for this process alone.
  bool note(StreamKey stream, std::uint64_t cursor, const char* path);

  /// Reads the cuts from cuts.bin.
  void load(std::uint32_t replica, const char* path);
  /// Forgets the replica's cuts and removes cuts.bin.
  void forget(std::uint32_t replica, const char* path);

  /// Remembers the last kTail bytes of `tail`, which ends at the cursor. It has fewer bytes only if
  /// it begins at the start of the file. `changed_ns` is the time of the file's last change; 0 if
  /// the file has bytes behind the cursor.
  void remember(StreamKey stream, std::string_view tail, std::int64_t changed_ns);

  /// Returns whether `tail` equals the remembered bytes, or no bytes were remembered.
  bool is_same(StreamKey stream, std::string_view tail) const;

  /// Returns whether a file that ends at the cursor, and changed last at `changed_ns`, may have
  /// been written again since remember(). `now_ns` is the time of CLOCK_REALTIME.
  bool is_suspect(StreamKey stream, std::int64_t changed_ns, std::int64_t now_ns) const;

  /// Returns whether the file has changed at another time than remember() said. False if remember()
  /// got no time.
  bool has_changed(StreamKey stream, std::int64_t changed_ns) const;

 private:
  /// The last copied bytes of a stream, as remember() got them.
  struct Tail {
    std::uint64_t hash = 0;       // 0: nothing was remembered
    std::int64_t changed_ns = 0;  // 0: not known
  };
  const Tail& tail(StreamKey stream) const;

  int root_;
  std::unordered_map<std::uint32_t, StreamCuts> cuts_;  // by replica
  std::vector<std::array<Tail, 2>> tails_;              // by replica and stream
};

}  // namespace slipway::local
