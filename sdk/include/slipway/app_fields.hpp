// The fields of resources, mounts, roles and apps, one row each: the key in app files and records,
// the member in C++ and the member in the C contract.
//
// Code that treats all fields in the same way iterates over these tables: the views of the plug-in
// boundary, the readers and writers of TOML and JSON, the records of schedulers and the conformance
// kit. A new field needs a member in both structs, a row and a name in members() here,
// app.schema.json and core/docs/app_file.md; one of Resource also a line in its operator==. Its
// default is the initialiser of its C++ member.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "slipway/abi/app.h"
#include "slipway/app.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The meaning of a text, beyond its type.
enum class FieldKind : std::uint8_t {
  kPlain,       ///< the value itself
  kOptional,    ///< a text that is absent when it is empty
  kJsonObject,  ///< the text of a JSON object, absent when it is empty; a table in files
};

/// One row: a field of the C++ struct `Struct` and of the C struct `View`.
template <class Struct, class Value, class View, class ViewValue>
struct Field {
  constexpr Field(const char* field_key, Value Struct::*cpp_member, ViewValue View::*c_member,
                  FieldKind field_kind = FieldKind::kPlain, const char* other_key = "")
      : key(field_key), alias(other_key), member(cpp_member), view(c_member), kind(field_kind) {}

  /// Returns whether app files may call the field `name`.
  bool is_called(std::string_view name) const {
    return name == key || (*alias != '\0' && name == alias);
  }

  const char* key;
  const char* alias;  ///< a second key in app files; empty if there is none
  Value Struct::*member;
  ViewValue View::*view;
  FieldKind kind;
};

/// The table of a C++ struct: `View` is its C struct, and `kRows` has a Field for each field.
template <class Struct>
struct FieldTable;

template <>
struct FieldTable<Resource> {
  using View = slipway_resource;
  static constexpr auto kRows = std::make_tuple(
      Field("cpu", &Resource::cpu, &View::cpu), Field("gpu", &Resource::gpu, &View::gpu),
      // In app files `mem` has a unit, such as "64GiB".
      Field("memMB", &Resource::mem_mb, &View::mem_mb, FieldKind::kPlain, "mem"),
      Field("capabilities", &Resource::capabilities_json, &View::capabilities_json,
            FieldKind::kJsonObject),
      Field("devices", &Resource::devices, &View::devices),
      Field("tags", &Resource::tags_json, &View::tags_json, FieldKind::kJsonObject));
};

template <>
struct FieldTable<Mount> {
  using View = slipway_mount;
  static constexpr auto kRows =
      std::make_tuple(Field("type", &Mount::kind, &View::kind),
                      Field("src_path", &Mount::src, &View::src, FieldKind::kPlain, "src"),
                      Field("dst_path", &Mount::dst, &View::dst, FieldKind::kPlain, "dst"),
                      Field("read_only", &Mount::read_only, &View::read_only),
                      Field("permissions", &Mount::permissions, &View::permissions));
};

/// In the order of TorchX. Has no rows for `scheduler_resources`, which no file contains, and
/// `pre_proc`, which stays in the process.
template <>
struct FieldTable<Role> {
  using View = slipway_role;
  static constexpr auto kRows = std::make_tuple(
      Field("name", &Role::name, &View::name), Field("image", &Role::image, &View::image),
      Field("min_replicas", &Role::min_replicas, &View::min_replicas),
      Field("base_image", &Role::base_image, &View::base_image, FieldKind::kOptional),
      Field("deployment_preference", &Role::deployment_preference, &View::deployment_preference,
            FieldKind::kOptional),
      Field("entrypoint", &Role::entrypoint, &View::entrypoint),
      Field("args", &Role::args, &View::args), Field("env", &Role::env, &View::env),
      Field("num_replicas", &Role::num_replicas, &View::num_replicas),
      Field("max_retries", &Role::max_retries, &View::max_retries),
      Field("retry_policy", &Role::retry_policy, &View::retry_policy),
      Field("resource", &Role::resource, &View::resource),
      Field("port_map", &Role::port_map, &View::port_map),
      Field("metadata", &Role::metadata_json, &View::metadata_json, FieldKind::kJsonObject),
      Field("mounts", &Role::mounts, &View::mounts));
};

template <>
struct FieldTable<AppDef> {
  using View = slipway_app_def;
  static constexpr auto kRows = std::make_tuple(
      Field("name", &AppDef::name, &View::name), Field("roles", &AppDef::roles, &View::roles),
      Field("metadata", &AppDef::metadata, &View::metadata));
};

/// Calls `use(row)` with each row of the struct's table, in order.
template <class Struct, class Use>
constexpr void each_field(Use&& use) {
  std::apply([&use](const auto&... row) { (use(row), ...); }, FieldTable<Struct>::kRows);
}

/// Calls `use(row)` with the row that app files may call `key`. Returns whether one was found.
template <class Struct, class Use>
bool with_field(std::string_view key, Use&& use) {
  return std::apply(
      [&](const auto&... row) {
        return ((row.is_called(key) && (static_cast<void>(use(row)), true)) || ...);
      },
      FieldTable<Struct>::kRows);
}

/// Returns the key under which Slipway writes the field `key` of a mount of this kind, in JSON,
/// TOML and records, or nullptr if such a mount does not have the field. As in TorchX, the source
/// of a volume is `src`; only devices have permissions, and they alone have no `read_only`.
inline const char* mount_key(MountKind kind, const char* key) {
  const std::string_view name = key;
  if (name == "permissions" && kind != MountKind::kDevice) return nullptr;
  if (name == "read_only" && kind == MountKind::kDevice) return nullptr;
  return name == "src_path" && kind == MountKind::kVolume ? "src" : key;
}

namespace detail {

template <class... Members>
std::integral_constant<std::size_t, sizeof...(Members)> counted(const Members&...);

// These functions compile only if each struct has as many members as they name.
inline auto members(const Resource& of) {
  const auto& [a, b, c, d, e, f] = of;
  return decltype(counted(a, b, c, d, e, f))();
}
inline auto members(const Mount& of) {
  const auto& [a, b, c, d, e] = of;
  return decltype(counted(a, b, c, d, e))();
}
inline auto members(const Role& of) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = of;
  return decltype(counted(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q))();
}
inline auto members(const AppDef& of) {
  const auto& [a, b, c] = of;
  return decltype(counted(a, b, c))();
}
inline auto members(const slipway_resource& of) {
  const auto& [a, b, c, d, e, f, g, h, i] = of;
  return decltype(counted(a, b, c, d, e, f, g, h, i))();
}
inline auto members(const slipway_mount& of) {
  const auto& [a, b, c, d, e, f, g] = of;
  return decltype(counted(a, b, c, d, e, f, g))();
}
inline auto members(const slipway_role& of) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = of;
  return decltype(counted(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r))();
}
inline auto members(const slipway_app_def& of) {
  const auto& [a, b, c, d, e] = of;
  return decltype(counted(a, b, c, d, e))();
}

/// Returns whether every member has a row, except `cpp_others` members in C++ and `c_others` in C.
/// Members without a row are struct_size, reserved fields, those that the comments of the tables
/// name, and cpu_milli, which ViewWriter (detail/app_views.hpp) writes together with `cpu`.
template <class Struct>
constexpr bool has_all_rows(std::size_t cpp_others, std::size_t c_others) {
  using View = typename FieldTable<Struct>::View;
  constexpr std::size_t kRows = std::tuple_size_v<decltype(FieldTable<Struct>::kRows)>;
  return decltype(members(std::declval<const Struct&>()))::value == kRows + cpp_others &&
         decltype(members(std::declval<const View&>()))::value == kRows + c_others;
}

static_assert(has_all_rows<Resource>(0, 3), "a field of Resource has no row");
static_assert(has_all_rows<Mount>(0, 2), "a field of Mount has no row");
static_assert(has_all_rows<Role>(2, 3), "a field of Role has no row");
static_assert(has_all_rows<AppDef>(0, 2), "a field of AppDef has no row");

}  // namespace detail

}  // namespace sdk_1_0
}  // namespace slipway
