// Small dictionaries that keep the order in which keys were written, as TorchX's do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipway {

/// Keys are unique; iteration is in the order of first insertion.
template <class T>
using Dict = std::vector<std::pair<std::string, T>>;

using StrDict = Dict<std::string>;
using IntDict = Dict<std::int64_t>;
using StrList = std::vector<std::string>;

/// The value of `key`, or nullptr. Linear: dictionaries of apps have tens of entries.
template <class T>
const T* find(const Dict<T>& dict, std::string_view key) {
  for (const auto& entry : dict) {
    if (entry.first == key) return &entry.second;
  }
  return nullptr;
}

/// Sets `key`, keeping its place when it was there already.
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

}  // namespace slipway
