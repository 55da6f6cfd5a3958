#include "plugins/archive_image/content_digest.hpp"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <unistd.h>

#include <vector>

#include "plugins/archive_image/system_error.hpp"

namespace slipway::archive_image {

std::string content_digest(int fd, const Call& call) {
  sha256_ctx context;
  sha256_init(&context);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  std::vector<std::uint8_t> block(std::size_t{1} << 18);
  for (off_t offset = 0;;) {
    call.check();
    const ssize_t n = ::pread(fd, block.data(), block.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw system_error("read the archive");
    if (n == 0) break;
    sha256_update(&context, static_cast<std::size_t>(n), block.data());
    offset += n;
  }
  std::uint8_t bytes[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof bytes, bytes);
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : bytes) {
    out += kHex[byte >> 4];
    out += kHex[byte & 0xF];
  }
  return out;
}

bool is_digest(const std::string& text) {
  return text.size() == kDigestLength &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace slipway::archive_image
