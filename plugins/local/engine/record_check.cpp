#include "plugins/local/engine/record_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace slipway::local {
namespace {

/// A hash of 64-bit words. The check keeps 31 bits of it, so a change stays unnoticed with a
/// probability of 2^-31. Ten times as fast as a CRC-32 for a hundred bytes.
class Hash {
 public:
  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15U;
    value_ ^= value_ >> 32U;
  }
  void add(const char* bytes, std::size_t from, std::size_t to) {
    for (; from + sizeof(std::uint64_t) <= to; from += sizeof(std::uint64_t))
      add(value_at<std::uint64_t>(bytes, from));
    if (from == to) return;
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes + from, to - from);
    add(rest);
  }
  /// Returns the check; never 0 and never kBeingChanged.
  std::uint32_t check() const { return static_cast<std::uint32_t>(value_ >> 32U) | 2U; }

 private:
  std::uint64_t value_ = 0x534C5753U;  // Not 0: hashing words of zero would leave 0 unchanged.
};

std::uint32_t header_check(const char* header) {
  constexpr std::size_t kCheck = offsetof(StateHeader, check);
  constexpr std::size_t kMessage = offsetof(StateHeader, message);
  Hash hash;
  hash.add(header, offsetof(StateHeader, sequence), kCheck);
  hash.add(header, kCheck + sizeof(std::uint32_t), kMessage);
  const auto length = value_at<std::uint32_t>(header, offsetof(StateHeader, message_length));
  hash.add(header, kMessage, kMessage + std::min<std::size_t>(length, kMessageBytes));
  return hash.check();
}

std::uint32_t head_check(const char* head) {
  Hash hash;
  hash.add(head, offsetof(ReplicaHead, wait_status), offsetof(ReplicaHead, check));
  return hash.check();
}

// Leaves out combined_out and combined_err, which change without a new check.
std::uint32_t tail_check(const char* tail) {
  Hash hash;
  hash.add(tail, 0, offsetof(ReplicaTail, combined_out));
  hash.add(tail, offsetof(ReplicaTail, due_ns), offsetof(ReplicaTail, role_round));
  // `check` itself lies behind role_round.
  hash.add(value_at<std::uint32_t>(tail, offsetof(ReplicaTail, role_round)));
  hash.add(tail, offsetof(ReplicaTail, role_due_ns), sizeof(ReplicaTail));
  return hash.check();
}

bool is_zero(const char* bytes, std::size_t from, std::size_t to) {
  return std::all_of(bytes + from, bytes + to, [](char byte) { return byte == 0; });
}

template <typename T>
const char* bytes_of(const T& part) {
  return reinterpret_cast<const char*>(&part);
}

}  // namespace

void unseal(StateHeader& header) { header.check.store(kBeingChanged); }

void unseal(const ReplicaEntry& entry) {
  entry.head.check.store(kBeingChanged);
  entry.tail.check.store(kBeingChanged);
}

void seal(StateHeader& header) { header.check.store(header_check(bytes_of(header))); }

void seal(const ReplicaEntry& entry) {
  entry.head.check.store(head_check(bytes_of(entry.head)));
  entry.tail.check.store(tail_check(bytes_of(entry.tail)));
}

bool is_whole_header(const char* header) {
  const auto check = value_at<std::uint32_t>(header, offsetof(StateHeader, check));
  return check == kBeingChanged || check == header_check(header);
}

bool is_whole_head(const char* head) {
  if (!is_whole_word(head)) return false;
  const auto check = value_at<std::uint32_t>(head, offsetof(ReplicaHead, check));
  if (check == 0)
    return word_of(head) == kFreshWord &&
           is_zero(head, offsetof(ReplicaHead, wait_status), sizeof(ReplicaHead));
  return check == kBeingChanged || check == head_check(head);
}

bool is_whole_tail(std::uint64_t word, const char* tail) {
  const auto check = value_at<std::uint32_t>(tail, offsetof(ReplicaTail, check));
  if (check == 0) return word == kFreshWord && is_zero(tail, 0, sizeof(ReplicaTail));
  return check == kBeingChanged || check == tail_check(tail);
}

}  // namespace slipway::local
