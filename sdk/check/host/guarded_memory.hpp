// Memory for the inputs of a call. An access behind the end of an object ends the process, as do a
// write and an access after the call. Bytes before an object and between the elements of an array
// are readable.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "slipway/abi/base.h"

namespace slipway::check {

/// Makes the kit a host of the next minor version: the structs that it places from now on are
/// larger, and `reserved0` and the fields that this version does not know have garbage. With
/// `newer` false, makes it a host of this version again.
void play_newer_host(bool newer = true);
bool plays_newer_host();

/// Places the end of each object before an inaccessible page, so that reading one byte too many
/// ends the process. The memory is read-only after seal() and inaccessible after vanish(). Not
/// thread safe.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory();

  /// Returns a copy of `size` bytes. Throws NoResources if no memory is available.
  void* put(const void* data, std::size_t size);

  /// Returns a copy without a NUL. The pointer of an empty text must not be read.
  slipway_str text(std::string_view value) {
    return {static_cast<const char*>(put(value.data(), value.size())), value.size()};
  }

  /// Returns a copy of a struct. After play_newer_host(), a growable struct has the size that it
  /// could have in a later version.
  template <class T>
  T* object(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (requires { value.struct_size; }) {
      if (plays_newer_host()) return newer(value);
    }
    return static_cast<T*>(put(&value, sizeof value));
  }

  /// Returns the array `A` (pointer, count and stride) with a stride that is `extra` bytes larger
  /// than necessary and 0xA5 between the elements. A later version of the element type looks like
  /// this to a plug-in of this version.
  template <class A, class T>
  A array(const std::vector<T>& items, std::size_t extra) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t stride = sizeof(T) + extra;
    std::vector<unsigned char> bytes(items.size() * stride, 0xA5);
    for (std::size_t i = 0; i < items.size(); ++i)
      std::memcpy(bytes.data() + i * stride, &items[i], sizeof(T));
    // The inaccessible page follows the last element directly, without its extra bytes.
    const std::size_t used = items.empty() ? 0 : bytes.size() - extra;
    return A{static_cast<const T*>(put(bytes.data(), used)), items.size(), stride};
  }

  /// Makes the memory read-only: a later write ends the process.
  void seal();
  /// Makes the memory inaccessible: a later read also ends the process.
  void vanish();

 private:
  template <class T>
  T* newer(T value) {
    constexpr std::size_t kAdded = 64;
    constexpr unsigned char kGarbage = 0xA5;
    value.struct_size += kAdded;
    if constexpr (requires { value.reserved0; })  // a plug-in must ignore it (R9)
      std::memset(&value.reserved0, kGarbage, sizeof value.reserved0);
    std::vector<unsigned char> bytes(sizeof value + kAdded, kGarbage);
    std::memcpy(bytes.data(), &value, sizeof value);
    return static_cast<T*>(put(bytes.data(), bytes.size()));
  }

  struct Pages {
    char* begin;
    std::size_t size;  ///< in bytes
  };

  /// Sets free_ to at least `size` bytes of new address space. Throws NoResources.
  void reserve(std::size_t size);

  /// Address space. It is inaccessible except for pieces_, so that the pages between these guard
  /// them without a system call for each.
  std::vector<Pages> reserved_;
  std::vector<Pages> pieces_;
  Pages free_{nullptr, 0};  ///< the rest of the last element of reserved_
};

}  // namespace slipway::check
