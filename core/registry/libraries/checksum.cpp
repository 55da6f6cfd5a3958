#include "core/registry/libraries/checksum.hpp"

#include <fmt/core.h>
#include <sha2.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/registry/manifests/trust.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {

std::string sha256_of_file(const std::string& path) {
  const auto fail = [&](const char* what) -> Error {
    return Error(errno == EACCES ? Code::kDenied : Code::kUnavailable,
                 fmt::format("{} cannot be {}: {}", path, what, std::strerror(errno)), {}, path);
  };
  const OwnedFd fd = open_untrusted(path);
  if (fd.get() < 0) throw fail("opened");
  SHA2_CTX context;
  SHA256Init(&context);
  std::vector<std::uint8_t> buffer(std::size_t{1} << 16);
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw fail("read");
    if (n == 0) break;
    SHA256Update(&context, buffer.data(), static_cast<std::size_t>(n));
  }
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &context);
  std::string out;
  for (const std::uint8_t byte : digest) out += fmt::format("{:02x}", byte);
  return out;
}

void check_sha256(const std::string& path, const std::string& sha256, const std::string& where) {
  if (sha256.empty()) return;
  const std::string found = sha256_of_file(path);
  if (found == sha256) return;
  throw Error(
      Code::kDenied,
      fmt::format("plug-in library {} is not the one in {}: its SHA-256 is {}, not {}", path, where,
                  found, sha256),
      "install the library that belongs to the manifest, or, if you trust this one, correct "
      "`sha256`",
      path);
}

}  // namespace slipway::registry
