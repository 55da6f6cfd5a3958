#include "core/registry/libraries/checksum.hpp"

#include <fmt/core.h>
#include <nettle/sha2.h>

#include <array>
#include <cerrno>
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
  sha256_ctx context;
  sha256_init(&context);
  std::vector<unsigned char> buffer(std::size_t{1} << 16);
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw fail("read");
    if (n == 0) break;
    sha256_update(&context, static_cast<std::size_t>(n), buffer.data());
  }
  std::array<unsigned char, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string out;
  for (const unsigned char byte : digest) out += fmt::format("{:02x}", byte);
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
