// What a workspace plug-in implements in C++. The functions are those of abi/workspace.h, where
// their contracts stand; here results are returned and errors are thrown (slipway::Error). Export
// with SLIPWAY_PLUGIN (plugin.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/abi/workspace.h"
#include "slipway/host.hpp"
#include "slipway/provider.hpp"

namespace slipway {

/// What is to be made of a workspace: `directory`/`name` for providers whose images are
/// directories.
struct WorkspaceOrder {
  std::string source;     ///< absolute path, or a URL of the provider's own
  std::string directory;  ///< absolute; need not exist
  std::string name;       ///< unique in `directory`
};

struct WorkspaceResult {
  std::string image;        ///< what roles get as their image
  std::int64_t files = -1;  ///< -1: not known
  std::int64_t bytes = -1;
};

class Workspace : public Provider {
 public:
  using Provider::Provider;

  /// What build() would make; changes nothing. Throws kNotFound, kInvalid.
  virtual WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) = 0;
  /// Makes all of it or nothing. Throws as plan(), and kExists.
  virtual WorkspaceResult build(const WorkspaceOrder& order, const Call& call) = 0;
  /// Takes back what build() made, and leaves alone what it did not make.
  virtual void discard(std::string_view /*image*/, const Call& /*call*/) {}
};

}  // namespace slipway
