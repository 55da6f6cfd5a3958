// An app in which every field differs from its default, by the tables of slipway/app_fields.hpp, so
// that a new field is tested without a change here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "slipway/app_fields.hpp"

namespace slipway::test {

template <class Struct>
Struct changed();

inline Mount changed_mount(MountKind kind);

inline void change(std::string& value, FieldKind kind, const char* key) {
  value = kind == FieldKind::kJsonObject ? std::string("{\"") + key + "\":[1,null,\"a\"]}"
                                         : std::string("other ") + key;
}
template <class Number>
std::enable_if_t<std::is_integral_v<Number>> change(Number& value, FieldKind, const char*) {
  value = static_cast<Number>(value + 3);
}
inline void change(CpuCount& value, FieldKind, const char*) { value = CpuCount::of_milli(2500); }
inline void change(bool& value, FieldKind, const char*) { value = !value; }
inline void change(std::optional<std::int32_t>& value, FieldKind, const char*) { value = 2; }
inline void change(RetryPolicy& value, FieldKind, const char*) { value = RetryPolicy::kRole; }
inline void change(MountKind& value, FieldKind, const char*) { value = MountKind::kVolume; }
inline void change(StrList& value, FieldKind, const char*) { value = {"one", "", "two words"}; }
inline void change(StrDict& value, FieldKind, const char*) { value = {{"Z", "1"}, {"A", ""}}; }
inline void change(IntDict& value, FieldKind, const char*) { value = {{"z", 80}, {"a", 0}}; }
inline void change(Resource& value, FieldKind, const char*) { value = changed<Resource>(); }
inline void change(std::vector<Mount>& value, FieldKind, const char*) {
  for (const MountKind kind : {MountKind::kBind, MountKind::kVolume, MountKind::kDevice})
    value.push_back(changed_mount(kind));
}
inline void change(std::vector<Role>& value, FieldKind, const char*) {
  value = {changed<Role>(), Role("plain").runs("true")};
}

/// Returns a struct of which every field differs from its default.
template <class Struct>
Struct changed() {
  Struct out;
  each_field<Struct>([&](const auto& field) { change(out.*field.member, field.kind, field.key); });
  return out;
}

/// Returns a mount of that kind; every other field that such mounts have differs from its default.
inline Mount changed_mount(MountKind kind) {
  Mount out = changed<Mount>();
  const Mount defaults;
  out.kind = kind;
  each_field<Mount>([&](const auto& field) {
    if (mount_key(kind, field.key) == nullptr) out.*field.member = defaults.*field.member;
  });
  if (kind == MountKind::kDevice) out.permissions = "r";
  return out;
}

template <class T>
bool equal(const T& a, const T& b);

/// Returns whether all fields of two structs are equal.
template <class Struct>
bool equal_fields(const Struct& a, const Struct& b) {
  bool out = true;
  each_field<Struct>(
      [&](const auto& field) { out = out && equal(a.*field.member, b.*field.member); });
  return out;
}
template <class Struct>
bool equal_each(const std::vector<Struct>& a, const std::vector<Struct>& b) {
  bool out = a.size() == b.size();
  for (std::size_t i = 0; out && i < a.size(); ++i) out = equal_fields(a[i], b[i]);
  return out;
}

/// Returns whether two values are equal. Compares mounts and roles, which have no ==, by their
/// fields.
template <class T>
bool equal(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, std::vector<Mount>> || std::is_same_v<T, std::vector<Role>>) {
    return equal_each(a, b);
  } else {
    return a == b;
  }
}

}  // namespace slipway::test
