// The parts of an image's name, and the credentials for its registry, from the files and helper
// programs of `docker login`.
#pragma once

#include <string>
#include <string_view>

#include "slipway/host.hpp"

namespace slipway::docker {

/// The name of an image in the parts that a pull needs.
struct ImageName {
  std::string repository;  ///< with the registry, such as "ghcr.io/org/app"
  std::string tag;         ///< a tag or a digest; "latest" if the name has neither
  std::string registry;    ///< the key of its credentials in config.json, such as "ghcr.io"
};

/// Splits the name of an image. Never fails: the engine refuses wrong names.
ImageName parse_image(std::string_view image);

/// Returns the value of the header X-Registry-Auth for the registry, from config.json in
/// $DOCKER_CONFIG or ~/.docker: a credential helper's answer, or a stored password or token.
/// Returns an empty text if the user has no credentials. Throws Error kConfig if config.json is not
/// a JSON object, kPrecondition for a helper that is missing, does not answer with a JSON object or
/// fails in another way than "not found", and kCancelled after a cancellation of the call.
std::string registry_auth(const std::string& registry, const Call& call);

}  // namespace slipway::docker
