// Manages the unpacked images of one user: creates them once, locks those in use, and removes old
// ones.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/archive_image/digest_index.hpp"
#include "slipway/host.hpp"
#include "slipway/image_provider.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

/// A directory that several processes share, any of which may be killed at any moment:
///
///     <digest>/           a complete image, which appears by a rename
///     .<digest>.<random>  an image that a process is unpacking or removing, or a leftover of a
///                         killed process
///     .locks/<digest>     locked shared (flock) by processes that use the image, exclusively for
///                         removal; its time is that of the last use
///     .locks/<digest>.unpack  locked exclusively by the process that unpacks
///     .digests/           DigestIndex
///
/// A process that unpacks or waits for the unpacking also holds `.locks/<digest>`, so neither lock
/// file is removed while a process uses it.
class ImageCache {
 public:
  /// Fills the empty directory `dir_fd`; throws on failure.
  using Unpack = std::function<void(int dir_fd)>;

  /// `root` is absolute and need not exist. Does not access it yet.
  explicit ImageCache(std::string root);

  /// Returns the directory of an image, which need not exist.
  std::string image_dir(const std::string& digest) const { return root_ + "/" + digest; }
  /// Returns the file whose lock keeps the image.
  std::string lock_file(const std::string& digest) const { return root_ + "/.locks/" + digest; }
  const DigestIndex& digests() const { return digests_; }

  /// Returns whether the complete image exists.
  bool holds(const std::string& digest) const;

  /// Makes the image available and returns a lock that keeps it. If it does not exist, calls
  /// `unpack` in one process at a time; other processes call `on_wait` once and wait for the image.
  /// Throws what `unpack` throws, after removing its files. Throws kCancelled if the host cancels
  /// the call, kDenied if the cache directory belongs to another user or other users may write to
  /// it, and system_error() if it cannot be used.
  OwnedFd ensure(const std::string& digest, const Unpack& unpack,
                 const std::function<void()>& on_wait, const Call& call);

  /// Removes unused images and remembered digests that were last used before `oldest_ns`
  /// (CLOCK_REALTIME), and the leftovers of killed processes. Returns the number of removed images.
  /// Keeps what it cannot remove. Throws like ensure() if the directory cannot be used.
  int sweep(std::int64_t oldest_ns);

  /// Returns the images that no process uses, with the times of their last use. Changes nothing.
  std::vector<UnusedImage> unused() const;

  /// Removes the image in the directory `dir`; does nothing if that is not an image of this cache.
  /// Throws kPrecondition if a process uses the image, kCantCreate if some of its files remain, and
  /// like ensure() if the cache directory cannot be used.
  void remove(std::string_view dir);

 private:
  /// Creates and opens the directory, and checks that only this user may write to it.
  void prepare();
  /// Locks `.locks/<digest>` shared and sets its time.
  OwnedFd lock_for_use(const std::string& digest) const;
  /// Locks `.locks/<digest>.unpack`.
  OwnedFd wait_for_turn(const std::string& digest, const std::function<void()>& on_wait,
                        const Call& call) const;
  void unpack_into_place(const std::string& digest, const Unpack& unpack);
  void remove_leftovers(const std::string& digest);
  enum class Removal { kDone, kNothing, kInUse, kFailed };
  /// Removes the image if no process uses it and its last use was before `oldest_ns`. Returns
  /// kNothing for a later use, or if there is no image. If a process uses the image, sets the time
  /// of its last use to now and returns kInUse.
  Removal remove_unused(const std::string& digest, std::int64_t oldest_ns);

  std::string root_;
  DigestIndex digests_;
  OwnedFd root_fd_;
};

/// Returns `$XDG_CACHE_HOME/slipway/images`, or `~/.cache/slipway/images` if the variable is not an
/// absolute path. Throws Error(kPrecondition) if neither HOME nor the password database has a home
/// directory.
std::string default_cache_root();

}  // namespace slipway::archive_image
