// Converts apps between C++ values and C views, by the tables of app_fields.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/app_fields.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// Owns the arrays and structs of views. Does not copy texts. The conformance kit has another class
/// with these functions, which places the views before guard pages.
class ViewMemory {
 public:
  static slipway_str text(std::string_view value) { return view(value); }
  template <class Array, class T>
  Array array(std::vector<T> items) {
    if (items.empty()) return Array{nullptr, 0, sizeof(T)};
    const auto kept = std::make_shared<const std::vector<T>>(std::move(items));
    kept_.push_back(kept);
    return array_of<Array>(*kept);
  }
  template <class T>
  const T* object(const T& value) {
    auto kept = std::make_shared<const T>(value);
    const T* out = kept.get();
    kept_.push_back(std::move(kept));
    return out;
  }

 private:
  std::vector<std::shared_ptr<const void>> kept_;
};

/// Writes apps and their parts as C views into `Memory`, which has the functions of ViewMemory.
template <class Memory>
class ViewWriter {
 public:
  explicit ViewWriter(Memory& memory) : memory_(memory) {}

  template <class Struct>
  auto view_of(const Struct& from) {
    auto out = sized<typename FieldTable<Struct>::View>();
    each_field<Struct>(
        [&](const auto& field) { write(from.*field.member, out.*field.view, field.kind); });
    if constexpr (std::is_same_v<Struct, Role>)
      write_scheduler_resources(from.scheduler_resources, out.scheduler_resources);
    if constexpr (std::is_same_v<Struct, Resource>)
      out.cpu_milli = from.cpu.is_whole() ? 0 : from.cpu.milli();  // 0: `cpu` is exact
    return out;
  }

 private:
  void write(const std::string& from, slipway_str& to, FieldKind kind) {
    const bool absent = kind != FieldKind::kPlain && from.empty();
    to = absent ? slipway_str{nullptr, 0} : memory_.text(from);
  }
  template <class Number>
  std::enable_if_t<std::is_integral_v<Number>> write(Number from, Number& to, FieldKind) {
    to = from;
  }
  void write(CpuCount from, std::int32_t& to, FieldKind) { to = from.whole(); }
  void write(bool from, std::int32_t& to, FieldKind) { to = from ? 1 : 0; }
  void write(const std::optional<std::int32_t>& from, std::int32_t& to, FieldKind) {
    to = from.value_or(0);
  }
  template <class Enum>
  std::enable_if_t<std::is_enum_v<Enum>> write(Enum from, std::int32_t& to, FieldKind) {
    to = static_cast<std::int32_t>(from);
  }
  void write(const StrList& from, slipway_str_array& to, FieldKind) {
    std::vector<slipway_str> out;
    out.reserve(from.size());
    for (const std::string& item : from) out.push_back(memory_.text(item));
    to = memory_.template array<slipway_str_array>(std::move(out));
  }
  void write(const StrDict& from, slipway_kv_array& to, FieldKind) {
    std::vector<slipway_kv> out;
    out.reserve(from.size());
    for (const auto& [key, value] : from) out.push_back({memory_.text(key), memory_.text(value)});
    to = memory_.template array<slipway_kv_array>(std::move(out));
  }
  void write(const IntDict& from, slipway_kv_i64_array& to, FieldKind) {
    std::vector<slipway_kv_i64> out;
    out.reserve(from.size());
    for (const auto& [key, value] : from) out.push_back({memory_.text(key), value});
    to = memory_.template array<slipway_kv_i64_array>(std::move(out));
  }
  void write(const Resource& from, const slipway_resource*& to, FieldKind) {
    to = from == Resource{} ? nullptr : memory_.object(view_of(from));
  }
  void write(const std::vector<Mount>& from, slipway_mount_array& to, FieldKind) {
    to = memory_.template array<slipway_mount_array>(views_of_each(from));
  }
  void write(const std::vector<Role>& from, slipway_role_array& to, FieldKind) {
    to = memory_.template array<slipway_role_array>(views_of_each(from));
  }

  template <class Struct>
  auto views_of_each(const std::vector<Struct>& from) {
    std::vector<typename FieldTable<Struct>::View> out;
    out.reserve(from.size());
    for (const Struct& item : from) out.push_back(view_of(item));
    return out;
  }

  void write_scheduler_resources(const Dict<Resource>& from, slipway_scheduler_resource_array& to) {
    std::vector<slipway_scheduler_resource> out;
    for (const auto& [scheduler, resource] : from) {
      auto special = sized<slipway_scheduler_resource>();
      special.scheduler = memory_.text(scheduler);
      special.resource = memory_.object(view_of(resource));
      out.push_back(special);
    }
    to = memory_.template array<slipway_scheduler_resource_array>(std::move(out));
  }

  Memory& memory_;
};

/// A C view of a struct, which must outlive it. Cannot be copied or moved.
template <class Struct>
class StructView {
 public:
  using View = typename FieldTable<Struct>::View;

  explicit StructView(const Struct& from) : view_(ViewWriter<ViewMemory>(memory_).view_of(from)) {}
  StructView(const StructView&) = delete;
  StructView& operator=(const StructView&) = delete;
  const View* get() const { return &view_; }

 private:
  ViewMemory memory_;
  View view_;
};

using ResourceView = StructView<Resource>;
using RoleView = StructView<Role>;
using AppDefView = StructView<AppDef>;

template <class Struct>
Struct read_struct(const typename FieldTable<Struct>::View& from);

inline Resource read(const slipway_resource& from) { return read_struct<Resource>(from); }
inline Mount read(const slipway_mount& from) { return read_struct<Mount>(from); }
inline Role read(const slipway_role& from) { return read_struct<Role>(from); }
inline AppDef read(const slipway_app_def& from) { return read_struct<AppDef>(from); }

namespace detail {

inline void read_into(std::string& to, slipway_str from) { to = str(from); }
template <class Number>
std::enable_if_t<std::is_integral_v<Number>> read_into(Number& to, Number from) {
  to = from;
}
inline void read_into(CpuCount& to, std::int32_t from) { to = from; }
inline void read_into(bool& to, std::int32_t from) { to = from != 0; }
inline void read_into(std::optional<std::int32_t>& to, std::int32_t from) {
  if (from > 0) to = from;
}
template <class Enum>
std::enable_if_t<std::is_enum_v<Enum>> read_into(Enum& to, std::int32_t from) {
  to = static_cast<Enum>(from);
}
inline void read_into(StrList& to, const slipway_str_array& from) { to = read(from); }
inline void read_into(StrDict& to, const slipway_kv_array& from) { to = read(from); }
inline void read_into(IntDict& to, const slipway_kv_i64_array& from) { to = read(from); }
inline void read_into(Resource& to, const slipway_resource* from) {
  if (from != nullptr) to = read(*from);
}
template <class T, class Array>
void read_each(std::vector<T>& to, const Array& from) {
  to.reserve(from.count);
  for (std::size_t i = 0; i < from.count; ++i)
    to.push_back(read(*SLIPWAY_AT(from, typename FieldTable<T>::View, i)));
}
inline void read_into(std::vector<Mount>& to, const slipway_mount_array& from) {
  read_each(to, from);
}
inline void read_into(std::vector<Role>& to, const slipway_role_array& from) {
  read_each(to, from);
}

}  // namespace detail

/// Returns the C++ value of a view, whichever side made it. A field that the maker did not know is
/// zero or empty.
template <class Struct>
Struct read_struct(const typename FieldTable<Struct>::View& from) {
  const auto wide = widen(&from);
  Struct out;
  each_field<Struct>(
      [&](const auto& field) { detail::read_into(out.*field.member, wide.*field.view); });
  if constexpr (std::is_same_v<Struct, Resource>) {
    if (wide.cpu_milli != 0) out.cpu = CpuCount::of_milli(wide.cpu_milli);
  }
  if constexpr (std::is_same_v<Struct, Role>) {
    each_widened<slipway_scheduler_resource>(
        wide.scheduler_resources, [&](const slipway_scheduler_resource& special) {
          if (special.resource != nullptr)
            set(out.scheduler_resources, text(special.scheduler), read(*special.resource));
        });
  }
  return out;
}

/// Throws kUnimplemented for a value of the role that this version does not know: a wrong guess
/// could mount or restart the wrong thing (R8).
inline void require_known(const Role& role) {
  const auto refuse = [&](const char* field, std::int32_t value) {
    throw Error(
        Code::kUnimplemented,
        "role " + role.name + ": this plug-in does not know " + field + " " + std::to_string(value),
        "a later version of the plug-in may know it");
  };
  if (!is_known(role.retry_policy))
    refuse("the retry policy", static_cast<std::int32_t>(role.retry_policy));
  for (const Mount& mount : role.mounts) {
    if (!is_known(mount.kind)) refuse("mounts of the kind", static_cast<std::int32_t>(mount.kind));
  }
}

/// Returns the role or app that the host passes as an order. Throws as require_known() does.
inline Role read_order(const slipway_role& from) {
  Role out = read(from);
  require_known(out);
  return out;
}
inline AppDef read_order(const slipway_app_def& from) {
  AppDef out = read(from);
  for (const Role& role : out.roles) require_known(role);
  return out;
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
