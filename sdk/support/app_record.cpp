#include "sdk/support/app_record.hpp"

#include <boost/json.hpp>
#include <optional>
#include <type_traits>
#include <vector>

#include "sdk/support/app_json.hpp"
#include "sdk/support/deep_json.hpp"
#include "slipway/app_fields.hpp"
#include "slipway/error.hpp"

namespace slipway::records {

namespace {

namespace json = boost::json;

json::object object_of(const std::string& text, const char*) {
  if (text.empty()) return {};
  boost::system::error_code error;
  const json::value value = parse_deep_json(text, error);
  const json::object* object = error ? nullptr : value.if_object();
  return object != nullptr ? *object : json::object();
}

// ---- From JSON. The accessors of Boost.JSON (as_string(), to_number()) throw if a value has
// another type than AppJsonWriter wrote.

template <class Struct>
Struct struct_from(const json::object& from);

void read_value(const json::value& from, FieldKind kind, std::string& to) {
  if (kind != FieldKind::kJsonObject) {
    to = from.as_string();
  } else if (const json::object& object = from.as_object(); !object.empty()) {
    to = json::serialize(object);
  }
}

void read_value(const json::value& from, FieldKind, std::optional<std::int32_t>& to) {
  if (!from.is_null()) to = from.to_number<std::int32_t>();
}

void read_value(const json::value& from, FieldKind, CpuCount& to) {
  to = from.is_double() ? CpuCount::of(from.as_double()).value()
                        : CpuCount(from.to_number<std::int32_t>());
}

void read_value(const json::value& from, FieldKind, bool& to) { to = from.as_bool(); }

void read_value(const json::value& from, FieldKind, Resource& to) {
  to = struct_from<Resource>(from.as_object());
}

template <class Number>
std::enable_if_t<std::is_integral_v<Number>> read_value(const json::value& from, FieldKind,
                                                        Number& to) {
  to = from.to_number<Number>();
}

// The known values of both enumerations, RetryPolicy and MountKind, are 0, 1 and 2. A name that a
// later version has written becomes -1, which commands show as unknown and a rerun refuses.
template <class Enum>
std::enable_if_t<std::is_enum_v<Enum>> read_value(const json::value& from, FieldKind, Enum& to) {
  to = static_cast<Enum>(-1);
  for (const int number : {0, 1, 2}) {
    if (from.as_string() == to_string(static_cast<Enum>(number))) to = static_cast<Enum>(number);
  }
}

void read_value(const json::value& from, FieldKind, StrDict& to) {
  for (const auto& [key, value] : from.as_object())
    to.emplace_back(key, std::string(value.as_string()));
}

void read_value(const json::value& from, FieldKind, IntDict& to) {
  for (const auto& [key, value] : from.as_object())
    to.emplace_back(key, value.to_number<std::int64_t>());
}

template <class T>
void read_value(const json::value& from, FieldKind, std::vector<T>& to) {
  for (const json::value& item : from.as_array()) {
    if constexpr (std::is_same_v<T, std::string>) {
      to.emplace_back(item.as_string());
    } else {
      to.push_back(struct_from<T>(item.as_object()));
    }
  }
}

// A field that is absent has its default, because an earlier version may have written the record
// without it.
template <class Struct>
Struct struct_from(const json::object& from) {
  Struct out;
  each_field<Struct>([&](const auto& field) {
    const json::value* value = from.if_contains(field.key);
    if (value == nullptr) value = from.if_contains(field.alias);  // `src` of volumes: mount_key()
    if (value != nullptr) read_value(*value, field.kind, out.*field.member);
  });
  return out;
}

[[noreturn]] void damaged(const std::string& why) {
  throw Error(Code::kInvalid, "the definition of the app in its record is damaged: " + why,
              "status, log and cancel work without the definition");
}

}  // namespace

std::string app_to_json(const AppDef& app) {
  return json::serialize(AppJsonWriter(&object_of).object(app));
}

AppDef app_from_json(std::string_view text) {
  boost::system::error_code problem;
  const json::value value = parse_deep_json(text, problem);
  if (problem) damaged("it is not JSON: " + problem.message());
  AppDef out;
  try {
    out = struct_from<AppDef>(value.as_object());
  } catch (const std::exception&) {
    // Drops the library's message, which names its own source file and not the record.
    damaged("a field has the wrong type");
  }
  if (out.name.empty()) damaged("the app has no name");
  return out;
}

}  // namespace slipway::records
