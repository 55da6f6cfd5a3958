// Reads facts from the file of a shared library without loading it.
#pragma once

#include <string>
#include <vector>

namespace slipway::registry {

struct ElfFacts {
  std::vector<std::string> exports;  ///< dynamic symbols that other libraries can bind to
  std::vector<std::string> needed;   ///< names of the libraries that it needs (DT_NEEDED)
  bool text_relocations = false;     ///< the loader must change its code (DT_TEXTREL)
  bool executable_stack = false;     ///< the loader must make the stack executable
};

/// Reads a file that has passed preflight(). Throws Error kInvalid if it cannot be read or its
/// tables are damaged.
ElfFacts read_elf(const std::string& path);

/// Returns the exported symbols besides SLIPWAY_PLUGIN_SYMBOL, such as "a, b and 3 more", or an
/// empty text.
std::string extra_exports(const ElfFacts& facts);

/// Returns a warning if the library exports more than SLIPWAY_PLUGIN_SYMBOL, otherwise an empty
/// text. RTLD_LOCAL does not separate all symbols of two libraries: those with the binding
/// STB_GNU_UNIQUE, such as static variables of templates, exist once in the process.
std::string exports_warning(const ElfFacts& facts);

}  // namespace slipway::registry
