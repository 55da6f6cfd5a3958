// The bytes of `plan.bin`: magic, numbers in host byte order, length-prefixed texts, CRC-32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

/// The last character is the version. The plans of all versions begin with the other seven and end
/// with the checksum, so that a plan of another version is told from a damaged one.
inline constexpr std::string_view kPlanMagic = "SLWPLAN7";

class PlanWriter {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint64_t>(value.size()));
    out_.append(value);
  }
  std::string finish() {
    number(crc32(out_));
    return std::move(out_);
  }

 private:
  std::string out_{kPlanMagic};
};

/// Nothing in the bytes is believed; what cannot be throws kInvalid.
class PlanReader {
 public:
  explicit PlanReader(std::string_view bytes) : rest_(bytes) {
    constexpr std::size_t kName = kPlanMagic.size() - 1;
    std::uint32_t crc = 0;
    if (bytes.size() < kPlanMagic.size() + sizeof crc ||
        bytes.substr(0, kName) != kPlanMagic.substr(0, kName))
      fail();
    std::memcpy(&crc, bytes.data() + bytes.size() - sizeof crc, sizeof crc);
    rest_.remove_suffix(sizeof crc);
    if (crc32(rest_) != crc) fail();
    if (bytes[kName] != kPlanMagic[kName]) {
      throw OtherVersion("plan.bin", std::string(bytes.substr(kName, 1)),
                         std::string(kPlanMagic.substr(kName)));
    }
    rest_.remove_prefix(kPlanMagic.size());
  }

  template <typename T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value = 0;
    if (rest_.size() < sizeof value) fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    if (size > rest_.size()) fail();
    std::string value(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(value.size());
    return value;
  }
  bool flag() { return below<std::uint8_t>(2) != 0; }
  /// One of an enumeration whose values go from 0 to `last`.
  template <typename Enum>
  Enum one_of(Enum last) {
    using Number = std::underlying_type_t<Enum>;
    return static_cast<Enum>(below<Number>(static_cast<Number>(static_cast<Number>(last) + 1)));
  }
  /// A number of elements of at least `least` bytes each; what cannot be there is refused before it
  /// is reserved.
  std::size_t count(std::size_t least) {
    const auto value = number<std::uint64_t>();
    if (value > rest_.size() / least) fail();
    return static_cast<std::size_t>(value);
  }
  void end() const {
    if (!rest_.empty()) fail();
  }

 private:
  template <typename T>
  T below(T limit) {
    const T value = number<T>();
    if (value >= limit) fail();
    return value;
  }
  [[noreturn]] static void fail() {
    throw Error(Code::kInvalid, "plan.bin is not an intact launch plan of this version");
  }
  std::string_view rest_;
};

}  // namespace slipway::local
