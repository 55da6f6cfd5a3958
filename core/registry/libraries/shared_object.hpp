// The system's dynamic loader, with hints for its messages.
#pragma once

#include <memory>
#include <string>

namespace slipway::registry {

/// A shared object in this process. It remains mapped until the process ends, even after the
/// destruction of this object. Other libraries do not see its symbols (RTLD_LOCAL), with the
/// exception in exports_warning() (elf_facts.hpp).
class SharedObject {
 public:
  /// Loads the library at `path`, which passed preflight(), and runs its constructors. Binds all
  /// symbols at once (RTLD_NOW), because a missing symbol would otherwise terminate the process at
  /// its first use. Throws Error(kUnavailable) with the loader's text and a hint, or with the text
  /// of an exception of a constructor; `where()` is the path.
  explicit SharedObject(const std::string& path);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  /// Returns the address of an exported symbol, or nullptr.
  const void* find(const char* symbol) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

/// Returns a hint for a message of the dynamic loader, or an empty text.
std::string explain_loader_message(const std::string& message);

}  // namespace slipway::registry
