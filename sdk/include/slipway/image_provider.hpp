// What an image provider plug-in implements in C++, and how a scheduler plug-in uses one of any
// plug-in. The functions are those of abi/image_provider.h, where their contracts stand.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/abi/image_provider.h"
#include "slipway/app.hpp"
#include "slipway/host.hpp"
#include "slipway/provider.hpp"

namespace slipway {

/// The command of one replica: `args[0]` is the program; no cwd: the caller's working directory.
struct ReplicaParam {
  StrList args;
  StrDict env;
  std::optional<std::string> cwd;
};

class ImageProvider : public Provider {
 public:
  using Provider::Provider;

  /// Where the image's files are or will be; changes nothing. Throws kInvalid for an image that
  /// cannot be.
  virtual std::string resolve(std::string_view image, const Call& call) = 0;
  /// Makes the files available and returns what resolve() said.
  virtual std::string fetch(std::string_view image, const Call& call) {
    return resolve(image, call);
  }
  /// As fetch(), for a role; may add to the role's environment through `env`.
  virtual std::string fetch_role(const Role& role, StrDict& /*env*/, const Call& call) {
    return fetch(role.image, call);
  }
  virtual std::string entrypoint(std::string_view /*img_root*/, const Role& role) {
    return role.entrypoint;
  }
  virtual std::optional<std::string> cwd(std::string_view /*image*/) { return std::nullopt; }
  /// `role`'s macros are replaced already.
  virtual ReplicaParam replica_param(std::string_view img_root, const Role& role) {
    ReplicaParam out;
    out.args.push_back(entrypoint(img_root, role));
    out.args.insert(out.args.end(), role.args.begin(), role.args.end());
    out.env = role.env;
    out.cwd = cwd(role.image);
    return out;
  }
  /// A file that keeps the fetched image's files in place as long as anybody holds it locked,
  /// shared, by flock(2); the provider itself does so from fetch() to its destruction. None: they
  /// stay anyway.
  virtual std::optional<std::string> use_lock(std::string_view /*image*/, const Call& /*call*/) {
    return std::nullopt;
  }
  virtual const void* extension(std::string_view /*id*/) { return nullptr; }
};

}  // namespace slipway
