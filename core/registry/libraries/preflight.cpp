#include "core/registry/libraries/preflight.hpp"

#include <elf.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sdk/support/permission_hint.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {
namespace {

#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
#else
#error "add this machine's ELF code here, and its kPlatform in manifest_plugin.cpp"
#endif

constexpr unsigned char kByteOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
constexpr const char* kInterrupted =
    "was the copy or download interrupted? copy it again, then rename it into place";

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "aarch64";
    case EM_386: return "i386";
    case EM_ARM: return "32-bit ARM";
    case EM_PPC64: return "ppc64";
    case EM_S390: return "s390";
    case EM_RISCV: return "RISC-V";
    default: return fmt::format("ELF machine {}", machine);
  }
}

// Inspects one file. Each step throws the first error that it finds.
class Inspection {
 public:
  Inspection(const std::string& path, Origin origin, const TrustPolicy& trust)
      : path_(path), origin_(origin), trust_(trust) {}

  void run() {
    check_path();
    check_file();
    check_magic();
    check_header();
    check_segments();
    check_sections();
  }

 private:
  [[noreturn]] void fail(Code code, const std::string& what, std::string hint = {}) const {
    throw Error(code, fmt::format("plug-in library {} {}", path_, what), std::move(hint), path_);
  }

  void check_path() const {
    if (path_.empty() || path_[0] != '/') fail(Code::kConfig, "is not an absolute path");
    // The kernel would stop at the NUL and open another file.
    if (path_.find('\0') != std::string::npos) fail(Code::kConfig, "contains a NUL byte");
  }

  void check_file() {
    fd_ = open_untrusted(path_);
    if (fd_.get() < 0) {
      const int reason = errno;
      if (reason == ENOENT || reason == ENOTDIR) {
        fail(Code::kUnavailable, "does not exist",
             "check `library` in the manifest, or install the plug-in again");
      }
      if (reason == EACCES || reason == EPERM) {
        fail(Code::kDenied, "cannot be read: permission denied", permission_hint(path_, "r"));
      }
      fail(Code::kUnavailable, fmt::format("cannot be opened: {}", std::strerror(reason)));
    }
    struct stat st {};
    if (fstat(fd_.get(), &st) != 0)
      fail(Code::kUnavailable, fmt::format("cannot be inspected: {}", std::strerror(errno)));
    if (S_ISDIR(st.st_mode))
      fail(Code::kUnavailable, "is a directory",
           "`library` in the manifest must name the .so file");
    if (!S_ISREG(st.st_mode)) fail(Code::kUnavailable, "is not a regular file");
    check_trusted(trust_, origin_, path_, st, "plug-in library");
    check_directory_trusted(trust_, origin_, path_);
    // A symbolic link in a trusted directory may point into an untrusted one.
    if (const std::string real = real_path(); real != path_)
      check_directory_trusted(trust_, origin_, real);
    size_ = static_cast<std::uint64_t>(st.st_size);
  }

  // Returns the path of the opened file without symbolic links. Asking the kernel takes one call
  // instead of one for each level of the path.
  std::string real_path() const {
    char real[PATH_MAX];
    const std::string link = fmt::format("/proc/self/fd/{}", fd_.get());
    const ssize_t length = ::readlink(link.c_str(), real, sizeof real);
    if (length > 0) return std::string(real, static_cast<std::size_t>(length));
    std::error_code unresolved;  // where /proc is not mounted
    const std::filesystem::path resolved = std::filesystem::canonical(path_, unresolved);
    return unresolved ? path_ : resolved.string();
  }

  // Returns a hint for a file that does not begin with a whole ELF identification. `start` has its
  // first `count` bytes.
  std::string hint_for_start(const unsigned char* start, std::size_t count) const {
    const auto starts = [&](std::string_view magic) {
      return count >= magic.size() && std::memcmp(start, magic.data(), magic.size()) == 0;
    };
    if (size_ == 0) return "the file is empty";
    if (starts("#!")) return "this is a script";
    if (starts("MZ")) return "this is a Windows DLL";
    if (starts("!<arch>")) return "this is a static archive (.a); plug-ins are shared libraries";
    if (starts("\xcf\xfa\xed\xfe") || starts("\xca\xfe\xba\xbe")) return "this is a macOS library";
    if (starts("version https")) return "this is a Git LFS pointer: run `git lfs pull`";
    if (starts("/* GNU ld") || starts("INPUT(") || starts("GROUP("))
      return "this is a linker script; name the real .so file";
    // The literals below are split, because \x would also read the digits and letters that follow.
    if (starts("\x1f\x8b") || starts("PK\x03\x04") ||
        starts("\xfd"
               "7zXZ"))
      return "this is an archive: unpack it first";
    if (starts("\x7f"
               "ELF"))
      return kInterrupted;
    return {};
  }

  void check_magic() {
    header_bytes_ = read_at(&header_, sizeof header_, 0);
    const unsigned char* const ident = header_.e_ident;
    const std::size_t count = std::min<std::size_t>(header_bytes_, EI_NIDENT);
    if (count < EI_NIDENT || std::memcmp(ident, ELFMAG, SELFMAG) != 0) {
      fail(Code::kUnavailable, "is not a shared library (no ELF file)",
           hint_for_start(ident, count));
    }
    if (ident[EI_CLASS] != ELFCLASS64) {
      fail(Code::kUnavailable, "is a 32-bit library; this host is 64-bit",
           "install the plug-in's 64-bit build");
    }
    if (ident[EI_DATA] != kByteOrder)
      fail(Code::kUnavailable, "has the other byte order than this host");
  }

  void check_header() {
    if (header_bytes_ < sizeof header_) {
      fail(Code::kUnavailable,
           fmt::format("is truncated inside its header ({} bytes)", header_bytes_), kInterrupted);
    }
    if (header_.e_machine != kMachine) {
      fail(Code::kUnavailable,
           fmt::format("is built for {}; this host is {}", machine_name(header_.e_machine),
                       machine_name(kMachine)),
           "install the build for this machine; a manifest may name one library per platform");
    }
    if (header_.e_type == ET_REL)
      fail(Code::kUnavailable, "is an object file (.o), not a shared library",
           "link it with -shared");
    if (header_.e_type == ET_EXEC)
      fail(Code::kUnavailable, "is an executable, not a shared library");
    if (header_.e_type == ET_CORE) fail(Code::kUnavailable, "is a core dump, not a shared library");
    if (header_.e_type != ET_DYN) fail(Code::kUnavailable, "is not a shared library");
  }

  // Checks that all segments end inside the file: mmap() accepts a file that is too short, but the
  // first access to a missing page raises SIGBUS.
  void check_segments() {
    const std::uint64_t table = std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr);
    if (header_.e_phentsize != sizeof(Elf64_Phdr) || header_.e_phnum == 0) {
      fail(Code::kUnavailable, "has no usable program headers");
    }
    if (!inside(header_.e_phoff, table))
      fail(Code::kUnavailable, "is truncated inside its program headers", kInterrupted);
    std::vector<Elf64_Phdr> segments(header_.e_phnum);
    if (read_at(segments.data(), table, header_.e_phoff) != table) {
      fail(Code::kUnavailable, "changed while it was read", kInterrupted);
    }
    bool has_interpreter = false;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Elf64_Phdr& segment = segments[i];
      has_interpreter = has_interpreter || segment.p_type == PT_INTERP;
      if (segment.p_type == PT_LOAD && !inside(segment.p_offset, segment.p_filesz)) {
        fail(Code::kUnavailable,
             fmt::format("is truncated: segment {} ends at byte {} of a {}-byte file", i,
                         segment.p_offset + segment.p_filesz, size_),
             kInterrupted);
      }
    }
    if (has_interpreter)
      fail(Code::kUnavailable, "is an executable (PIE), not a shared library",
           "build it with -shared");
  }

  // Checks that the section table ends inside the file. dlopen() ignores the table, but linkers
  // write it at the end of the file, so a table beyond the end reveals truncation.
  void check_sections() const {
    const std::uint64_t table = std::uint64_t{header_.e_shnum} * header_.e_shentsize;
    if (header_.e_shoff != 0 && !inside(header_.e_shoff, table)) {
      fail(Code::kUnavailable,
           fmt::format("is truncated: the section table ends beyond the {}-byte file", size_),
           kInterrupted);
    }
  }

  bool inside(std::uint64_t offset, std::uint64_t length) const {
    return length <= size_ && offset <= size_ - length;
  }

  // Returns the number of bytes read, which is smaller than `length` only at the end of the file.
  std::size_t read_at(void* into, std::size_t length, std::uint64_t offset) const {
    std::size_t done = 0;
    while (done < length) {
      const ssize_t n = pread(fd_.get(), static_cast<char*>(into) + done, length - done,
                              static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(Code::kUnavailable, fmt::format("cannot be read: {}", std::strerror(errno)));
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  const std::string& path_;
  const Origin origin_;
  const TrustPolicy& trust_;
  OwnedFd fd_;
  std::uint64_t size_ = 0;
  Elf64_Ehdr header_{};
  std::size_t header_bytes_ = 0;  // how much of header_ the file has
};

}  // namespace

void preflight(const std::string& path, Origin origin, const TrustPolicy& trust) {
  Inspection(path, origin, trust).run();
}

}  // namespace slipway::registry
