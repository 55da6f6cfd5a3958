// Values as bytes, on their way from a query process to the command that forked it. Both are the
// same program, so the bytes have no version.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "slipway/error.hpp"

namespace slipway::registry {

/// Appends values to a text.
class MessageWriter {
 public:
  MessageWriter& number(std::int64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  MessageWriter& real(double value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  MessageWriter& text(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    bytes_.append(value);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads the values in the order in which they were written. Throws Error kAbi when there are
/// fewer: the plug-in wrote into memory that is not its own.
class MessageReader {
 public:
  /// `bytes` are borrowed.
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  std::int64_t number() {
    std::int64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  double real() {
    double value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(static_cast<std::size_t>(number()))); }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size())
      throw Error(Code::kAbi, "a query process sent an answer that is too short");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace slipway::registry
