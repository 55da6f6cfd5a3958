// Reads facts from the file of a shared library without loading it.
#pragma once

#include <string>
#include <vector>

namespace slipway::registry {

struct ElfFacts {
  std::vector<std::string> exports;  ///< dynamic symbols that other libraries can bind to
  std::vector<std::string> needed;   ///< DT_NEEDED
  bool text_relocations = false;
  bool executable_stack = false;
};

/// Reads a file that has passed preflight(). Throws Error kInvalid if its tables are damaged.
ElfFacts read_elf(const std::string& path);

/// Returns the exported symbols except the one of a plug-in: "a, b and 3 more", or an empty text.
std::string extra_exports(const ElfFacts& facts);

/// Returns a warning that the library exports more than the symbol of a plug-in, or an empty text.
/// The dynamic linker could bind another plug-in to these symbols.
std::string exports_warning(const std::string& plugin_id, const ElfFacts& facts);

}  // namespace slipway::registry
