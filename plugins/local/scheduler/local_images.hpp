// The image providers of the local schedulers: `cwd`, which ignores images, and `dir`, whose images
// are directories.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/image_provider.hpp"

namespace slipway::local {

/// Everything runs in the directory in which the command was called (TorchX's CWDImageProvider).
class CwdImages : public ImageProvider {
 public:
  using ImageProvider::ImageProvider;
  std::string resolve(std::string_view image, const Call& call) override;
  std::optional<std::string> cwd(std::string_view image, const Call& call) override;
};

/// An image is an existing directory, which is also the working directory (TorchX's
/// LocalDirectoryImageProvider). The scheme `dir://` may stand in front.
class DirImages : public ImageProvider {
 public:
  using ImageProvider::ImageProvider;
  /// Throws kInvalid when the image is not a directory.
  std::string resolve(std::string_view image, const Call& call) override;
  std::optional<std::string> cwd(std::string_view image, const Call& call) override;
};

/// The working directory of this process; throws kPrecondition when it is gone.
std::string current_directory();

}  // namespace slipway::local
