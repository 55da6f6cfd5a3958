// The image provider `archive`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/archive_image/file_identity.hpp"
#include "plugins/archive_image/image_cache.hpp"
#include "plugins/archive_image/settings.hpp"
#include "slipway/image_provider.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

/// Provides images from archives on this machine, given as a path or as `archive://PATH`. The
/// image's directory is named after the archive's content, so resolve() reads the archive, unless
/// this object has read it before and it has not changed since, or ImageCache::digests() has its
/// digest from an earlier fetch(). fetch() unpacks it unless the cache has it already.
/// `${img_root}` and the working directory are the unpacked directory.
///
/// Throws kInvalid for a file that does not exist, is not an archive or must not be unpacked
/// (unpack.hpp), kPrecondition if the archive changes while it is read, and what ImageCache and
/// system_error() throw.
class ArchiveImages : public ImageProvider {
 public:
  /// Throws kConfig for an invalid configuration, and what default_cache_root() throws.
  ArchiveImages(Host host, CreateArgs args);

  std::string resolve(std::string_view image, const Call& call) override;
  std::string fetch(std::string_view image, const Call& call) override;
  std::optional<std::string> cwd(std::string_view image, const Call& call) override;
  std::optional<std::string> use_lock(std::string_view image, const Call& call) override;
  std::vector<UnusedImage> unused_images(const Call&) override { return cache_.unused(); }
  void remove_image(std::string_view root, const Call&) override { cache_.remove(root); }

 private:
  /// An open archive with its path and digest.
  struct Source {
    std::string path;
    OwnedFd fd;
    FileIdentity identity;
    std::string digest;
  };
  Source open(std::string_view image, const Call& call);
  std::string digest_of(const Source& source, const Call& call);
  void unpack_into(int dir_fd, const Source& source, const Call& call) const;
  /// Removes old images. Only logs a failure.
  void sweep();

  Settings settings_;
  ImageCache cache_;
  std::map<std::string, std::pair<FileIdentity, std::string>> known_;  // by path, at the last read
  // Locks that this object holds until it ends, by digest. The app's supervisor takes its own lock
  // before that.
  std::map<std::string, OwnedFd> use_locks_;
};

}  // namespace slipway::archive_image
