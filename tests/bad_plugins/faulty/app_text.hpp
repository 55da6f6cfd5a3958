// Writes apps to files and reads them back.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "slipway/app_fields.hpp"

namespace faulty {

/// Writes values as texts that end with a NUL, which no value contains.
class TextWriter {
 public:
  explicit TextWriter(std::ostream& out) : out_(out) {}

  void put(const std::string& value) { out_ << value << '\0'; }
  template <class T>
  std::enable_if_t<std::is_integral_v<T>> put(T value) {
    put(std::to_string(value));
  }
  template <class T>
  std::enable_if_t<std::is_enum_v<T>> put(T value) {
    put(static_cast<std::int32_t>(value));
  }
  void put(const std::optional<std::int32_t>& value) { put(value.value_or(0)); }
  template <class First, class Second>
  void put(const std::pair<First, Second>& value) {
    put(value.first);
    put(value.second);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  template <class Struct>
  std::enable_if_t<std::is_class_v<typename slipway::FieldTable<Struct>::View>> put(
      const Struct& value) {
    slipway::each_field<Struct>([&](const auto& field) { put(value.*field.member); });
  }

 private:
  std::ostream& out_;
};

/// Reads what TextWriter wrote; the values are in the same order.
class TextReader {
 public:
  explicit TextReader(std::istream& in) : in_(in) {}

  void take(std::string& value) { std::getline(in_, value, '\0'); }
  template <class T>
  std::enable_if_t<std::is_integral_v<T>> take(T& value) {
    std::string text;
    take(text);
    value = static_cast<T>(text.empty() ? 0 : std::stoll(text));
  }
  template <class T>
  std::enable_if_t<std::is_enum_v<T>> take(T& value) {
    std::int32_t number = 0;
    take(number);
    value = static_cast<T>(number);
  }
  void take(std::optional<std::int32_t>& value) {
    std::int32_t number = 0;
    take(number);
    if (number != 0) value = number;
  }
  template <class First, class Second>
  void take(std::pair<First, Second>& value) {
    take(value.first);
    take(value.second);
  }
  template <class T>
  void take(std::vector<T>& values) {
    std::size_t count = 0;
    take(count);
    values.resize(in_ ? count : 0);
    for (T& value : values) take(value);
  }
  template <class Struct>
  std::enable_if_t<std::is_class_v<typename slipway::FieldTable<Struct>::View>> take(
      Struct& value) {
    slipway::each_field<Struct>([&](const auto& field) { take(value.*field.member); });
  }

 private:
  std::istream& in_;
};

}  // namespace faulty
