// Memory for the inputs of a call that forgives nothing.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "slipway/abi/base.h"

namespace slipway::check {

/// Each thing ends where an inaccessible page begins, so that reading one byte too many ends the process; all of it is
/// read-only after seal() and gone after vanish(). For one thread.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory();

  /// A copy of `size` bytes. Throws std::system_error when there is no memory.
  void* put(const void* data, std::size_t size);

  /// Without a NUL; an empty text is a pointer that must not be read.
  slipway_str text(std::string_view value) {
    return {static_cast<const char*>(put(value.data(), value.size())), value.size()};
  }

  template <class T>
  T* object(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(put(&value, sizeof value));
  }

  /// The array triple `A`, its elements `extra` bytes further apart than they need to be, with 0xA5 between them: what a
  /// later version of the element looks like to a plug-in of this one.
  template <class A, class T>
  A array(const std::vector<T>& items, std::size_t extra) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t stride = sizeof(T) + extra;
    std::vector<unsigned char> bytes(items.size() * stride, 0xA5);
    for (std::size_t i = 0; i < items.size(); ++i)
      std::memcpy(bytes.data() + i * stride, &items[i], sizeof(T));
    // nothing follows the last one, not even its filling
    const std::size_t used = items.empty() ? 0 : bytes.size() - extra;
    return A{static_cast<const T*>(put(bytes.data(), used)), items.size(), stride};
  }

  /// From now on, writing to it ends the process.
  void seal();
  /// From now on, reading it does, too.
  void vanish();

 private:
  struct Piece {
    char* begin;
    std::size_t usable;  ///< the guard page follows
  };
  std::vector<Piece> pieces_;
};

}  // namespace slipway::check
