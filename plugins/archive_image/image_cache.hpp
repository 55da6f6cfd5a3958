// The unpacked images of one user: which there are, who uses them, and which nobody wants any more.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "plugins/archive_image/digest_index.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

/// A directory, shared by any number of processes, which may be killed at any moment:
///
///     <digest>/           an image, whole: it appears by rename
///     .<digest>.<random>  one that is being unpacked or removed, or was when its process was killed
///     .locks/<digest>     locked shared (flock) by everybody who uses the image, exclusively by who removes it; its
///                         time is that of the last use
///     .locks/<digest>.unpack  locked exclusively by who unpacks
///     .digests/           DigestIndex
///
/// Who unpacks or waits for it holds the first lock too, so that neither lock's file is removed under anybody.
class ImageCache {
 public:
  /// Fills the empty directory `dir_fd`; throws when it cannot.
  using Unpack = std::function<void(int dir_fd)>;

  /// `root` is absolute and need not exist; nothing is done with it yet.
  explicit ImageCache(std::string root);

  /// Where an image is, or will be.
  std::string image_dir(const std::string& digest) const { return root_ + "/" + digest; }
  /// The file that keeps it as long as it is locked.
  std::string lock_file(const std::string& digest) const { return root_ + "/.locks/" + digest; }
  const DigestIndex& digests() const { return digests_; }

  bool holds(const std::string& digest) const;

  /// Makes sure that the image is there and returns a lock that keeps it. When it is not, `unpack` is called, in one
  /// process at a time; the others wait (`on_wait` is called once) and find it there. Throws what `unpack` throws, after
  /// removing what it left; kCancelled; kDenied when the directory is not the user's own; kCantCreate and others when
  /// it cannot be used.
  OwnedFd ensure(const std::string& digest, const Unpack& unpack,
                 const std::function<void()>& on_wait, const Call& call);

  /// Removes images whose last use was before `oldest_ns` (CLOCK_REALTIME) and that nobody uses, and what killed
  /// processes left. Returns how many images went. What cannot be removed stays.
  int sweep(std::int64_t oldest_ns);

 private:
  void prepare();
  OwnedFd lock_for_use(const std::string& digest) const;
  OwnedFd wait_for_turn(const std::string& digest, const std::function<void()>& on_wait,
                        const Call& call) const;
  void unpack_into_place(const std::string& digest, const Unpack& unpack);
  void remove_leftovers(const std::string& digest);
  bool remove_unused(const std::string& digest, std::int64_t oldest_ns);

  std::string root_;
  DigestIndex digests_;
  OwnedFd root_fd_;
};

/// `$XDG_CACHE_HOME/slipway/images`, else `~/.cache/slipway/images`. Throws Error kPrecondition when there is no home.
std::string default_cache_root();

}  // namespace slipway::archive_image
