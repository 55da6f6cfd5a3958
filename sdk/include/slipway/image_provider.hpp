// The base class of image providers. A scheduler plug-in uses the image providers of other plug-ins
// through the same class (hosted_image_provider.hpp). The functions are those of
// abi/image_provider.h, which has their contracts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/abi/image_provider.h"
#include "slipway/app.hpp"
#include "slipway/host.hpp"
#include "slipway/provider.hpp"
#include "slipway/status.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The command of one replica. `args[0]` is the program. Without `cwd`, the replica starts in the
/// caller's working directory.
struct ReplicaParam {
  StrList args;
  StrDict env;
  std::optional<std::string> cwd;
};

/// An image that the provider keeps and no process uses; see abi/image_cache.h.
struct UnusedImage {
  std::string root;     ///< the directory of its files
  TimeNs last_used_at;  ///< the last use that the provider noticed, if any
};

/// An image provider. Calls on one object never overlap.
class ImageProvider : public Provider {
 public:
  using Provider::Provider;

  /// Returns the directory where the image's files are or will be, and changes nothing. Throws
  /// kInvalid if no image can have this name.
  virtual std::string resolve(std::string_view image, const Call& call) = 0;
  /// Makes the files available and returns the same directory as resolve(). Throws kNotFound if
  /// there is no such image, and kCancelled if the host cancels `call`. The default is for images
  /// that need no preparation.
  virtual std::string fetch(std::string_view image, const Call& call) {
    return resolve(image, call);
  }
  /// Does the same as fetch(), for a role. May append variables for the role's replicas to `env`.
  virtual std::string fetch_role(const Role& role, StrDict& /*env*/, const Call& call) {
    return fetch(role.image, call);
  }
  /// Returns the program to start.
  virtual std::string entrypoint(std::string_view /*img_root*/, const Role& role,
                                 const Call& /*call*/) {
    return role.entrypoint;
  }
  /// Returns the working directory of replicas, or nullopt for the caller's.
  virtual std::optional<std::string> cwd(std::string_view /*image*/, const Call& /*call*/) {
    return std::nullopt;
  }
  /// Returns the command of one replica. The caller has replaced the macros of `role`.
  virtual ReplicaParam replica_param(std::string_view img_root, const Role& role,
                                     const Call& call) {
    ReplicaParam out;
    out.args.push_back(entrypoint(img_root, role, call));
    out.args.insert(out.args.end(), role.args.begin(), role.args.end());
    out.env = role.env;
    out.cwd = cwd(role.image, call);
    return out;
  }
  /// Returns a file whose shared lock (flock(2)) keeps the fetched files in place; the provider
  /// itself holds the lock from fetch() to its destruction. nullopt: the provider keeps the files
  /// even without a lock.
  virtual std::optional<std::string> use_lock(std::string_view /*image*/, const Call& /*call*/) {
    return std::nullopt;
  }
  /// Returns the images that the provider keeps on this machine and no process uses. The default
  /// is for a provider that keeps none: it throws kUnimplemented.
  virtual std::vector<UnusedImage> unused_images(const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this image provider keeps no images");
  }
  /// Removes the image whose files are in `root`. Does nothing if the provider keeps no image
  /// there. Throws kPrecondition if a process uses the image. The default is that of
  /// unused_images().
  virtual void remove_image(std::string_view /*root*/, const Call& /*call*/) {
    throw Error(Code::kUnimplemented, "this image provider keeps no images");
  }
  /// Returns an additional C interface by its id, or nullptr. Valid for the lifetime of the object.
  virtual const void* extension(std::string_view /*id*/) { return nullptr; }
};

}  // namespace sdk_1_0
}  // namespace slipway
