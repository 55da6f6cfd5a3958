// What the file of a shared library says of itself, without running it.
#pragma once

#include <string>
#include <vector>

namespace slipway::check {

struct ElfFacts {
  std::vector<std::string> exports;  ///< dynamic symbols that other libraries can bind to
  std::vector<std::string> needed;   ///< DT_NEEDED
  bool text_relocations = false;
  bool executable_stack = false;
};

/// Throws Broken (check.hpp) when `path` is no shared library of this kind of machine, or a truncated one.
ElfFacts read_elf(const std::string& path);

}  // namespace slipway::check
