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

/// An image is an archive of this machine, as a path or behind `archive://`. Its place is named after its content, so
/// that resolve() reads it, once for as long as it does not change; fetch() unpacks it unless it is unpacked already.
/// `${img_root}` and the working directory are the unpacked directory.
///
/// Throws kInvalid for what is no archive or must not be unpacked (unpack.hpp), kPrecondition when the archive changes
/// while it is read.
class ArchiveImages : public ImageProvider {
 public:
  /// Throws kConfig for a configuration that cannot be.
  ArchiveImages(Host host, CreateArgs args);

  std::string resolve(std::string_view image, const Call& call) override;
  std::string fetch(std::string_view image, const Call& call) override;
  std::optional<std::string> cwd(std::string_view image) override;
  std::optional<std::string> use_lock(std::string_view image, const Call& call) override;

 private:
  /// An open archive and what it is called.
  struct Source {
    std::string path;
    OwnedFd fd;
    FileIdentity identity;
    std::string digest;
  };
  Source open(std::string_view image, const Call& call);
  std::string digest_of(const Source& source, const Call& call);
  void unpack_into(int dir_fd, const Source& source, const Call& call) const;
  void sweep();

  Settings settings_;
  ImageCache cache_;
  std::map<std::string, std::pair<FileIdentity, std::string>> known_;  // by path: digests so far
  std::vector<OwnedFd>
      used_;  // until the app's own process holds the lock, and to the end of this one
};

}  // namespace slipway::archive_image
