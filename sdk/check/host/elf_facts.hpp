// Reads facts from the file of a shared library without loading it.
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

/// Reads the file. Throws Broken (check.hpp) if it is truncated or not a shared library for this
/// kind of machine.
ElfFacts read_elf(const std::string& path);

}  // namespace slipway::check
