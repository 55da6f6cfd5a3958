#include "plugins/local/scheduler/image_kind.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

namespace {

constexpr const char* kHint =
    "with the scheduler local an image is empty or \".\" (the current directory), a directory, a "
    "tar or zip archive, or NAME://... of an image provider";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_called_archive(std::string_view path) {
  for (const std::string_view end : {".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst",
                                     ".tzst", ".tar.bz2", ".tbz2", ".zip", ".whl"}) {
    if (ends_with(path, end)) return true;
  }
  return false;
}

/// By the first bytes. Compressed files that are no tar inside are the provider's to refuse.
bool starts_like_archive(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char head[512] = {};
  const ssize_t n = fd ? ::pread(fd.get(), head, sizeof head, 0) : -1;
  if (n <= 0) return false;
  const std::string_view bytes(head, static_cast<std::size_t>(n));
  using namespace std::string_view_literals;
  for (const std::string_view magic : {"\x1F\x8B"sv, "BZh"sv,
                                       "\xFD"
                                       "7zXZ\0"sv,
                                       "\x28\xB5\x2F\xFD"sv, "PK\x03\x04"sv, "PK\x05\x06"sv}) {
    if (bytes.substr(0, magic.size()) == magic) return true;
  }
  constexpr std::size_t kTarMagic = 257;
  return bytes.size() > kTarMagic && bytes.substr(kTarMagic, 5) == "ustar"sv;
}

}  // namespace

std::string provider_for(const std::string& image) {
  if (image.empty() || image == ".") return "cwd";
  const std::size_t scheme = image.find("://");
  if (scheme == 0)
    throw Error(Code::kInvalid, "image \"" + image + "\" has an empty scheme", kHint);
  if (scheme != std::string::npos) return image.substr(0, scheme);
  if (image.find('\0') != std::string::npos)
    throw Error(Code::kInvalid, "an image holds a NUL character", kHint);
  struct stat st {};
  if (::stat(image.c_str(), &st) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      throw Error(Code::kInvalid, "image \"" + image + "\" does not exist", kHint);
    throw Error(Code::kInvalid,
                "image \"" + image + "\" cannot be looked at: " +
                    std::error_code(errno, std::generic_category()).message(),
                kHint);
  }
  if (S_ISDIR(st.st_mode)) return "dir";
  if (S_ISREG(st.st_mode) && (is_called_archive(image) || starts_like_archive(image)))
    return "archive";
  throw Error(Code::kInvalid, "image \"" + image + "\" is neither a directory nor an archive",
              kHint);
}

}  // namespace slipway::local
