#include "sdk/check/host/elf_facts.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/registry/libraries/preflight.hpp"
#include "sdk/check/check.hpp"
#include "slipway/error.hpp"

namespace slipway::check {

namespace {

// A file that has passed the preflight check.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    require(file.good(), "the file cannot be read");
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    header_ = at<Elf64_Ehdr>(0);
  }

  ElfFacts facts() const {
    ElfFacts out;
    bool stack_was_said = false;
    for (unsigned i = 0; i < header_.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type != PT_GNU_STACK) continue;
      stack_was_said = true;
      out.executable_stack = (segment.p_flags & PF_X) != 0;
    }
    out.executable_stack = out.executable_stack || !stack_was_said;
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr part = section(i);
      if (part.sh_type == SHT_DYNSYM) read_symbols(part, out);
      if (part.sh_type == SHT_DYNAMIC) read_dynamic(part, out);
    }
    return out;
  }

 private:
  template <class T>
  T at(std::uint64_t offset) const {
    require(sizeof(T) <= bytes_.size() && offset <= bytes_.size() - sizeof(T),
            "it is not an ELF file, or it is truncated", "copy it again");
    T out;
    std::memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }
  Elf64_Shdr section(std::uint64_t index) const {
    return at<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }
  std::string text(const Elf64_Shdr& strings, std::uint64_t index) const {
    const std::uint64_t from = strings.sh_offset + index;
    require(from < bytes_.size(), "its table of strings is broken");
    const void* end = std::memchr(bytes_.data() + from, '\0', bytes_.size() - from);
    require(end != nullptr, "its table of strings is broken");
    return bytes_.data() + from;
  }

  void read_symbols(const Elf64_Shdr& part, ElfFacts& out) const {
    const Elf64_Shdr strings = section(part.sh_link);
    for (std::uint64_t i = 1; i < part.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(part.sh_offset + i * sizeof(Elf64_Sym));
      const unsigned binding = ELF64_ST_BIND(symbol.st_info);
      const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) continue;
      if (binding == STB_LOCAL || visibility == STV_HIDDEN) continue;
      out.exports.push_back(text(strings, symbol.st_name));
    }
  }

  void read_dynamic(const Elf64_Shdr& part, ElfFacts& out) const {
    const Elf64_Shdr strings = section(part.sh_link);
    for (std::uint64_t i = 0; i < part.sh_size / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(part.sh_offset + i * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) out.needed.push_back(text(strings, entry.d_un.d_val));
      if (entry.d_tag == DT_TEXTREL) out.text_relocations = true;
    }
  }

  std::string bytes_;
  Elf64_Ehdr header_{};
};

}  // namespace

ElfFacts read_elf(const std::string& path) {
  registry::TrustPolicy everybody;
  everybody.enabled = false;  // the author names the file on the command line
  try {
    registry::preflight(path, registry::Origin::kFlag, everybody);
  } catch (const Error& error) {
    throw Broken(error.message(), error.hint());
  }
  return ElfFile(path).facts();
}

}  // namespace slipway::check
