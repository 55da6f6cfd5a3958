// The only file that includes Boost.DLL.
#include "core/registry/libraries/shared_object.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <boost/dll/shared_library.hpp>
#include <exception>
#include <string_view>

#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

namespace dll = boost::dll;

// Returns the loader's text. Boost encloses it in its own text, which ends with the misleading "Bad
// file descriptor [generic:9]".
std::string loader_text(std::string text, const std::string& path) {
  constexpr std::string_view kIntroduction = "dlerror system message: ";
  if (const std::size_t start = text.find(kIntroduction); start != std::string::npos) {
    text.erase(0, start + kIntroduction.size());
    if (const std::size_t end = text.rfind("): "); end != std::string::npos) text.resize(end);
  }
  const std::string repeated = path + ": ";
  if (text.rfind(repeated, 0) == 0) text.erase(0, repeated.size());
  return text;
}

}  // namespace

struct SharedObject::Handle {
  dll::shared_library library;
};

SharedObject::SharedObject(const std::string& path) : handle_(std::make_unique<Handle>()) {
  // Boost has no name for RTLD_NODELETE, but passes unknown bits on.
  const auto mode = static_cast<dll::load_mode::type>(dll::load_mode::rtld_now |
                                                      dll::load_mode::rtld_local | RTLD_NODELETE);
  try {
    handle_->library.load(path, mode);
  } catch (const std::exception& error) {
    const std::string text = loader_text(error.what(), path);
    throw Error(Code::kUnavailable,
                fmt::format("plug-in library {} cannot be loaded: {}", path, text),
                explain_loader_message(text), path);
  } catch (...) {
    throw Error(Code::kUnavailable,
                fmt::format("plug-in library {} cannot be loaded: one of its constructors threw an "
                            "exception of an unknown type",
                            path),
                {}, path);
  }
}

SharedObject::~SharedObject() = default;

const void* SharedObject::find(const char* symbol) const {
  return handle_->library.has(symbol) ? &handle_->library.get<const unsigned char>(symbol)
                                      : nullptr;
}

std::string explain_loader_message(const std::string& message) {
  const auto says = [&](const char* part) { return message.find(part) != std::string::npos; };
  if (says("undefined symbol")) {
    return "it was linked without one of its libraries; link plug-ins with -Wl,-z,defs to find "
           "this when they are built";
  }
  // glibc quotes the version with a backtick, other loaders with an apostrophe.
  if (says("version `GLIBC") || says("version `CXXABI") || says("version 'GLIBC")) {
    return "it was built on a newer distribution than this one: rebuild it on the oldest you "
           "support, or link "
           "libstdc++ statically";
  }
  if (says("cannot open shared object file"))
    return "a library it needs is missing: run `ldd` on it, or set an $ORIGIN rpath";
  if (says("static TLS")) return "build the plug-in without -ftls-model=initial-exec";
  if (says("failed to map segment")) return "is it on a filesystem that is mounted noexec?";
  if (says("executable stack")) return "link the plug-in with -Wl,-z,noexecstack";
  return {};
}

}  // namespace slipway::registry
