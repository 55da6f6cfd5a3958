// The system's dynamic loader, and what its messages mean.
#pragma once

#include <memory>
#include <string>

namespace slipway::registry {

/// A shared object in this process. It stays mapped for the life of the process, also when this
/// object is gone, and its symbols are not offered to other libraries.
class SharedObject {
 public:
  /// Loads the library at `path`, which passed preflight(): all its symbols are bound now
  /// (RTLD_NOW), none at the first call, where a missing one would end the process. Runs its
  /// constructors. Throws Error(kUnavailable) with the loader's own text and what to do about it;
  /// `where()` is the path.
  explicit SharedObject(const std::string& path);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  /// The address of an exported symbol, or nullptr.
  const void* find(const char* symbol) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

/// What to do about a message of the dynamic loader; empty when there is nothing to say.
std::string explain_loader_message(const std::string& message);

}  // namespace slipway::registry
