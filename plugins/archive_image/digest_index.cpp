#include "plugins/archive_image/digest_index.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "plugins/archive_image/content_digest.hpp"
#include "sdk/support/directory_stream.hpp"
#include "slipway/ids.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

std::optional<std::string> DigestIndex::find(const FileIdentity& file) const {
  const OwnedFd fd(::open((directory_ + "/" + file.text()).c_str(),
                          O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) return std::nullopt;
  char text[kDigestLength + 1];
  const ssize_t n = ::read(fd.get(), text, sizeof text);
  if (n != static_cast<ssize_t>(kDigestLength)) return std::nullopt;
  std::string digest(text, kDigestLength);
  if (!is_digest(digest)) return std::nullopt;
  return digest;
}

void DigestIndex::remember(const FileIdentity& file, const std::string& digest, std::int64_t now_ns,
                           std::int64_t settle_ns) const {
  const std::string path = directory_ + "/" + file.text();
  if (find(file) == digest) {
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    return;
  }
  if (now_ns - file.changed_ns < settle_ns || now_ns - file.modified_ns < settle_ns) return;
  // Renames a complete file into place, so that no process reads a partial one.
  const std::string unfinished = directory_ + "/." + make_unique_id("new");
  const OwnedFd fd(
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd) return;
  const bool whole =
      ::write(fd.get(), digest.data(), digest.size()) == static_cast<ssize_t>(digest.size());
  if (!whole || ::rename(unfinished.c_str(), path.c_str()) != 0) ::unlink(unfinished.c_str());
}

void DigestIndex::forget_before(std::int64_t oldest_ns) const {
  const DirectoryStream directory(::opendir(directory_.c_str()));
  if (!directory) return;
  const int fd = ::dirfd(directory.get());
  while (const dirent* entry = ::readdir(directory.get())) {
    struct stat st {};
    if (::fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
      continue;
    if (FileIdentity::of(st).modified_ns < oldest_ns) ::unlinkat(fd, entry->d_name, 0);
  }
}

}  // namespace slipway::archive_image
