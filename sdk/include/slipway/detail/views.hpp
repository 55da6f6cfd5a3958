// Converts between the C views of the ABI and C++ values, on both sides of the boundary.
//
// The side that reads a struct calls widen() first, because the other side may have been built with
// older or newer headers. The side that writes owns the strings and arrays that views point into.
// R1 to R10 are the rules in abi/base.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "slipway/abi/base.h"
#include "slipway/detail/struct_facts.hpp"
#include "slipway/dict.hpp"
#include "slipway/error.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// Returns a view that borrows `text` and is never absent.
inline slipway_str view(std::string_view text) {
  return {text.data() != nullptr ? text.data() : "", text.size()};
}
/// Returns a view that borrows `text`, and is absent if `text` is empty.
inline slipway_str view_or_absent(std::string_view text) {
  return text.empty() ? slipway_str{nullptr, 0} : view(text);
}
/// Returns the string that `s` borrows. An absent string becomes an empty one.
inline std::string_view text(slipway_str s) {
  return s.ptr != nullptr ? std::string_view(s.ptr, s.len) : std::string_view();
}
/// Returns a copy of the string. An absent string becomes an empty one.
inline std::string str(slipway_str s) { return std::string(text(s)); }

/// Returns the error about a struct of the other side with this struct_size.
inline Error too_small(const StructFacts& facts, std::uint32_t struct_size) {
  return Error(Code::kAbi,
               std::string("a ") + facts.name + " has the struct_size " +
                   std::to_string(struct_size) + ", smaller than the " +
                   std::to_string(facts.size_in_1_0) + " of version 1.0",
               std::string("initialize it, in C with SLIPWAY_INIT(") + facts.name + ")");
}

/// Returns a copy of `*p` in which fields beyond its struct_size are zero (R1). The copy's own
/// struct_size is at most that of `T`: the copy lacks the fields that only the other side knows.
/// Throws Error kAbi if the struct is smaller than in version 1.0: the other side has not set its
/// struct_size.
template <class T>
T widen(const T* p) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain structs cross the boundary");
  static_assert(kFacts<T>.name != nullptr, "add the struct to struct_facts.hpp");
  if (p->struct_size < kFacts<T>.size_in_1_0) throw too_small(kFacts<T>, p->struct_size);
  if (p->struct_size >= sizeof(T)) {
    T out = *p;  // a known size, which the compiler copies in registers
    out.struct_size = static_cast<std::uint32_t>(sizeof(T));
    return out;
  }
  T out{};
  std::memcpy(&out, p, p->struct_size);
  return out;
}

/// Returns whether the function table `vtbl` has the member `function`, so that it may be called
/// (R6). Reads nothing beyond the table's struct_size.
template <class Table, class Fn>
bool has(const Table& vtbl, Fn Table::*function) {
  const auto* base = reinterpret_cast<const char*>(&vtbl);
  const auto* field = reinterpret_cast<const char*>(&(vtbl.*function));
  const auto end = static_cast<std::size_t>(field - base) + sizeof(Fn);
  return end <= vtbl.struct_size && vtbl.*function != nullptr;
}

/// Returns a zeroed struct with its struct_size.
template <class T>
T sized() {
  T out{};
  out.struct_size = static_cast<std::uint32_t>(sizeof(T));
  return out;
}

/// Returns an array that points into `items`, which must outlive it.
template <class A, class T>
A array_of(const std::vector<T>& items) {
  return A{items.data(), items.size(), sizeof(T)};
}

/// Calls `use(const T&)` for each element of an array whose elements never grow (FROZEN, R3).
template <class T, class A, class F>
void each(const A& array, F use) {
  for (std::size_t i = 0; i < array.count; ++i) use(*SLIPWAY_AT(array, T, i));
}

/// Calls `use(T)` with a widened copy of each element of an array whose elements may grow (R1).
template <class T, class A, class F>
void each_widened(const A& array, F use) {
  for (std::size_t i = 0; i < array.count; ++i) use(widen(SLIPWAY_AT(array, T, i)));
}

/// Throws Error kUnimplemented for a bit of a later version that must be understood (R8). `what`
/// continues "this plug-in does not know how to ".
inline void refuse_later_flags(std::uint32_t flags, const char* what) {
  if ((flags & SLIPWAY_MUST_UNDERSTAND) == 0) return;
  throw Error(Code::kUnimplemented,
              std::string("this plug-in does not know how to ") + what + " this way",
              "a later version of the plug-in may know it");
}

inline std::vector<slipway_str> views_of(const StrList& items) {
  std::vector<slipway_str> out;
  out.reserve(items.size());
  for (const std::string& item : items) out.push_back(view(item));
  return out;
}
inline std::vector<slipway_kv> views_of(const StrDict& items) {
  std::vector<slipway_kv> out;
  out.reserve(items.size());
  for (const auto& [key, value] : items) out.push_back({view(key), view(value)});
  return out;
}
inline std::vector<slipway_kv_i64> views_of(const IntDict& items) {
  std::vector<slipway_kv_i64> out;
  out.reserve(items.size());
  for (const auto& [key, value] : items) out.push_back({view(key), value});
  return out;
}

inline StrList read(const slipway_str_array& array) {
  StrList out;
  out.reserve(array.count);
  each<slipway_str>(array, [&](const slipway_str& s) { out.push_back(str(s)); });
  return out;
}
inline StrDict read(const slipway_kv_array& array) {
  StrDict out;
  out.reserve(array.count);
  each<slipway_kv>(array,
                   [&](const slipway_kv& kv) { out.emplace_back(str(kv.key), str(kv.value)); });
  return out;
}
inline IntDict read(const slipway_kv_i64_array& array) {
  IntDict out;
  out.reserve(array.count);
  each<slipway_kv_i64>(array,
                       [&](const slipway_kv_i64& kv) { out.emplace_back(str(kv.key), kv.value); });
  return out;
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
