// The image providers of this plug-in: `cwd`, which ignores images, and `dir`, whose images are
// directories.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/image_provider.hpp"

namespace slipway::local {

/// Every replica runs in the working directory of the command (TorchX's CWDImageProvider).
class CwdImages : public ImageProvider {
 public:
  using ImageProvider::ImageProvider;
  std::string resolve(std::string_view image, const Call& call) override;
  std::optional<std::string> cwd(std::string_view image, const Call& call) override;
};

/// An image is an existing directory, which is also the working directory (TorchX's
/// LocalDirectoryImageProvider). It may begin with the scheme `dir://`.
class DirImages : public ImageProvider {
 public:
  using ImageProvider::ImageProvider;
  /// Throws kInvalid if the image is not a directory.
  std::string resolve(std::string_view image, const Call& call) override;
  std::optional<std::string> cwd(std::string_view image, const Call& call) override;
};

/// Returns the working directory of this process. Throws kPrecondition if it no longer exists.
std::string current_directory();

}  // namespace slipway::local
