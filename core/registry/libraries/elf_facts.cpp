#include "core/registry/libraries/elf_facts.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "sdk/support/joined.hpp"
#include "slipway/abi/plugin.h"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {

namespace {

void require(bool holds, const char* fault) {
  if (!holds) throw Error(Code::kInvalid, fault, "copy the library again");
}

// Reads only the parts that it needs: a library with debug information may have gigabytes.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {  // a FIFO must not block
    struct stat info {};
    require(file_.get() >= 0 && ::fstat(file_.get(), &info) == 0, "the file cannot be read");
    size_ = static_cast<std::uint64_t>(info.st_size);
    header_ = entry<Elf64_Ehdr>(part(0, sizeof(Elf64_Ehdr)), 0);
    const auto entries = std::uint64_t{header_.e_shnum};
    sections_ = part(header_.e_shoff, entries * sizeof(Elf64_Shdr));
  }

  ElfFacts facts() const {
    ElfFacts out;
    bool has_stack_segment = false;
    const auto entries = std::uint64_t{header_.e_phnum};
    const std::string segments = part(header_.e_phoff, entries * sizeof(Elf64_Phdr));
    for (std::size_t i = 0; i < header_.e_phnum; ++i) {
      const auto segment = entry<Elf64_Phdr>(segments, i);
      if (segment.p_type != PT_GNU_STACK) continue;
      has_stack_segment = true;
      out.executable_stack = (segment.p_flags & PF_X) != 0;
    }
    // Without this segment, the dynamic linker makes the stack executable.
    out.executable_stack = out.executable_stack || !has_stack_segment;
    for (std::size_t i = 0; i < header_.e_shnum; ++i) {
      const auto section = entry<Elf64_Shdr>(sections_, i);
      if (section.sh_type == SHT_DYNSYM) read_symbols(section, out);
      if (section.sh_type == SHT_DYNAMIC) read_dynamic(section, out);
    }
    return out;
  }

 private:
  std::string part(std::uint64_t offset, std::uint64_t size) const {
    constexpr const char* kTruncated = "it is not an ELF file, or it is truncated";
    require(offset <= size_ && size <= size_ - offset, kTruncated);
    std::string out(size, '\0');
    for (std::size_t done = 0; done < out.size();) {
      const ssize_t n = ::pread(file_.get(), out.data() + done, out.size() - done,
                                static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      require(n > 0, kTruncated);
      done += static_cast<std::size_t>(n);
    }
    return out;
  }
  std::string part(const Elf64_Shdr& section) const {
    return part(section.sh_offset, section.sh_size);
  }

  template <class T>
  static T entry(const std::string& table, std::size_t index) {
    require(index < table.size() / sizeof(T), "one of its tables is broken");
    T out;
    std::memcpy(&out, table.data() + index * sizeof(T), sizeof out);
    return out;
  }

  static std::string text(const std::string& strings, std::uint64_t index) {
    require(index < strings.size(), "its table of strings is broken");
    return strings.c_str() + index;  // c_str() adds a NUL if the table lacks the last one
  }

  void read_symbols(const Elf64_Shdr& section, ElfFacts& out) const {
    const std::string symbols = part(section);
    const std::string strings = part(entry<Elf64_Shdr>(sections_, section.sh_link));
    for (std::size_t i = 1; i < symbols.size() / sizeof(Elf64_Sym); ++i) {
      const auto symbol = entry<Elf64_Sym>(symbols, i);
      const unsigned binding = ELF64_ST_BIND(symbol.st_info);
      const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
      // The linker adds an absolute symbol for the name of each symbol version.
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) continue;
      if (binding == STB_LOCAL || visibility == STV_HIDDEN) continue;
      out.exports.push_back(text(strings, symbol.st_name));
    }
  }

  void read_dynamic(const Elf64_Shdr& section, ElfFacts& out) const {
    const std::string entries = part(section);
    const std::string strings = part(entry<Elf64_Shdr>(sections_, section.sh_link));
    for (std::size_t i = 0; i < entries.size() / sizeof(Elf64_Dyn); ++i) {
      const auto one = entry<Elf64_Dyn>(entries, i);
      if (one.d_tag == DT_NULL) break;
      if (one.d_tag == DT_NEEDED) out.needed.push_back(text(strings, one.d_un.d_val));
      if (one.d_tag == DT_TEXTREL) out.text_relocations = true;
    }
  }

  OwnedFd file_;
  std::uint64_t size_ = 0;
  Elf64_Ehdr header_{};
  std::string sections_;  // the table of sections
};

}  // namespace

ElfFacts read_elf(const std::string& path) { return ElfFile(path).facts(); }

std::string extra_exports(const ElfFacts& facts) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> extra;
  for (const std::string& name : facts.exports) {
    if (name != SLIPWAY_PLUGIN_SYMBOL) extra.push_back(name);
  }
  return joined_first(extra, kMostNamed);
}

std::string exports_warning(const ElfFacts& facts) {
  const std::string others = extra_exports(facts);
  if (others.empty()) return {};
  return "the library exports more than " SLIPWAY_PLUGIN_SYMBOL
         ", which may clash with another plug-in: " +
         others;
}

}  // namespace slipway::registry
