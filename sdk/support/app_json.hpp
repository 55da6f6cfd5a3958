// Writes apps and their parts as JSON in the shape of TorchX's dataclasses, by the tables of
// slipway/app_fields.hpp.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "slipway/app_fields.hpp"

namespace slipway {

/// Writes structs of apps as JSON objects. `ParseObject` is called as `parse(text, key)`. It
/// returns the object in the text of the field `key`, whose kind is kJsonObject; the text may be
/// empty.
template <class ParseObject>
class AppJsonWriter {
 public:
  explicit AppJsonWriter(ParseObject parse) : parse_(std::move(parse)) {}

  /// Returns every field of an AppDef, Role, Resource or Mount, in the order of its table. An
  /// optional number that is absent is null. Leaves out an optional text that is absent and the
  /// fields that mounts of this kind lack.
  template <class Struct>
  boost::json::object object(const Struct& from) const {
    boost::json::object out;
    each_field<Struct>([&](const auto& field) {
      const auto& value = from.*field.member;
      if (field.kind == FieldKind::kOptional && is_empty(value)) return;
      const char* key = field.key;
      if constexpr (std::is_same_v<Struct, Mount>) key = mount_key(from.kind, key);
      if (key == nullptr) return;  // mounts of this kind lack the field
      out[key] = written(value, field);
    });
    return out;
  }

 private:
  static bool is_empty(const std::string& value) { return value.empty(); }
  template <class T>
  static bool is_empty(const T&) {
    return false;
  }

  template <class Row>
  boost::json::value written(const std::string& value, const Row& field) const {
    if (field.kind == FieldKind::kJsonObject) return parse_(value, field.key);
    return boost::json::string(value);
  }
  template <class T, class Row>
  boost::json::value written(const T& value, const Row& field) const {
    if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::is_same_v<T, CpuCount>) {
      if (value.is_whole()) return value.whole();
      return static_cast<double>(value.milli()) / 1000;
    } else if constexpr (std::is_enum_v<T>) {
      return to_string(value);
    } else {
      return written_parts(value, field);
    }
  }

  template <class Row>
  boost::json::value written_parts(const std::optional<std::int32_t>& value, const Row&) const {
    return value ? boost::json::value(*value) : boost::json::value();
  }
  template <class Row>
  boost::json::value written_parts(const Resource& value, const Row&) const {
    return object(value);
  }
  template <class T, class Row>
  boost::json::value written_parts(const Dict<T>& value, const Row&) const {
    boost::json::object out;
    out.reserve(value.size());
    for (const auto& [key, item] : value) out.emplace(key, item);
    return out;
  }
  template <class T, class Row>
  boost::json::value written_parts(const std::vector<T>& value, const Row&) const {
    boost::json::array out;
    out.reserve(value.size());
    for (const T& item : value) {
      if constexpr (std::is_same_v<T, std::string>) {
        out.emplace_back(item);
      } else {
        out.emplace_back(object(item));
      }
    }
    return out;
  }

  ParseObject parse_;
};

}  // namespace slipway
