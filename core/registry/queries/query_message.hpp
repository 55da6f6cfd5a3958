// Encodes numbers, texts and Errors as bytes, for the pipe from a query process to the command that
// forked it. Both are the same program, so the encoding needs no version.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/error.hpp"

namespace slipway::registry {

/// Encodes values.
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
  MessageWriter& error(const Error& value) {
    number(static_cast<std::int64_t>(value.code()));
    return text(value.message()).text(value.hint()).text(value.where()).text(value.details());
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Decodes values in the order in which they were encoded. Throws Error kAbi if the bytes end
/// before a value does, which means that the plug-in has overwritten memory of the query process.
class MessageReader {
 public:
  /// Borrows `bytes`.
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
  Error error() {
    const auto code = static_cast<Code>(number());
    std::string what = text();
    std::string hint = text();
    std::string where = text();
    return Error(code, std::move(what), std::move(hint), std::move(where)).with_details(text());
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw Error(Code::kAbi, "the answer of a query process is too short");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace slipway::registry
