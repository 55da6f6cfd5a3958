// The base class of workspace providers; see abi/workspace.h for the contracts of the functions.
// Functions return their results and throw slipway::Error. SLIPWAY_PLUGIN (plugin.hpp) exports a
// provider.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/abi/workspace.h"
#include "slipway/host.hpp"
#include "slipway/provider.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The image to make from a workspace. `directory` and `name` are for providers whose images are
/// directories.
struct WorkspaceOrder {
  std::string source;     ///< absolute path, or a URL with the provider's scheme
  std::string directory;  ///< absolute path, which need not exist
  std::string name;       ///< unique in `directory`
};

/// The image that was made, or that build() would make.
struct WorkspaceResult {
  std::string image;        ///< the image for the roles of the app
  std::int64_t files = -1;  ///< number of files, or -1 if unknown
  std::int64_t bytes = -1;  ///< total size of the files, or -1 if unknown
};

/// A provider of workspaces. Calls on one object never overlap.
class Workspace : public Provider {
 public:
  using Provider::Provider;

  /// Returns the image that build() would make, without side effects. Throws kNotFound for a
  /// missing workspace and kInvalid for a source that is not a workspace.
  virtual WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) = 0;
  /// Makes the image. After an error, no part of it remains. Throws as plan() does, and kExists if
  /// the name is already in use.
  virtual WorkspaceResult build(const WorkspaceOrder& order, const Call& call) = 0;
  /// Deletes an image of build(). Leaves missing and other images unchanged. The default does
  /// nothing.
  virtual void discard(std::string_view /*image*/, const Call& /*call*/) {}
};

}  // namespace sdk_1_0
}  // namespace slipway
