// Small dictionaries that keep the order of insertion, like TorchX's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipway {
inline namespace sdk_1_0 {

/// A dictionary. Keys are unique, in the order of their first insertion.
template <class T>
using Dict = std::vector<std::pair<std::string, T>>;

using StrDict = Dict<std::string>;
using IntDict = Dict<std::int64_t>;
using StrList = std::vector<std::string>;

/// Returns the value of `key`, or nullptr. Searches in linear time, because these dictionaries are
/// small.
template <class T>
const T* find(const Dict<T>& dict, std::string_view key) {
  for (const auto& entry : dict) {
    if (entry.first == key) return &entry.second;
  }
  return nullptr;
}

/// Sets the value of `key`. An existing key keeps its place.
template <class T>
void set(Dict<T>& dict, std::string_view key, T value) {
  for (auto& entry : dict) {
    if (entry.first == key) {
      entry.second = std::move(value);
      return;
    }
  }
  dict.emplace_back(std::string(key), std::move(value));
}

}  // namespace sdk_1_0
}  // namespace slipway
