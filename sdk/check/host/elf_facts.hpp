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

/// Reads the file. Throws Broken (check.hpp) if the host refuses to load it: it is truncated, or no
/// shared library for this machine.
ElfFacts read_elf(const std::string& path);

}  // namespace slipway::check
