// The one way to include toml++: declarations only. The code is compiled once, in
// toml_implementation.cpp, so that nothing links the shared library of the distribution and no
// second copy is built.
//
// Prefer core/spec/document.hpp: toml++ by itself overflows the stack on deeply nested input, and
// some of what it asserts about its input is not so (`a = [}`): an abort in a debug build,
// undefined behaviour in a release. Here its assertions stay on and throw TomlAssertion.
#pragma once

#include <exception>

namespace slipway::spec {

class TomlAssertion : public std::exception {
 public:
  const char* what() const noexcept override { return "an assertion of toml++ does not hold"; }
};

[[noreturn]] inline void fail_toml_assertion() { throw TomlAssertion(); }

}  // namespace slipway::spec

#define TOML_HEADER_ONLY 0
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expr)                                \
  do {                                                   \
    if (!(expr)) ::slipway::spec::fail_toml_assertion(); \
  } while (false)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
