// The image providers that one scheduler object has opened, by name.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "plugins/local/scheduler/local_options.hpp"
#include "slipway/image_provider.hpp"

namespace slipway::local {

/// `local_cwd` and `local_dir` have one provider each; `local` chooses one for each image
/// (image_kind.hpp), or uses that of the run option `image_provider`. `cwd` and `dir` are this
/// plug-in's own; the host opens every other one. Not thread safe.
class ImageProviders {
 public:
  ImageProviders(Host host, const CreateArgs& args);

  /// Returns the name of the provider of a role's image. Throws Error kInvalid for an image that
  /// belongs to no provider.
  std::string name_for(const std::string& image, const LocalOptions& options) const;

  /// Returns whether the provider is this plug-in's own. These leave commands unchanged and decide
  /// only about the working directory; others make the command of each replica.
  static bool is_own(const std::string& name) { return name == "cwd" || name == "dir"; }

  /// Returns the provider of that name, always the same object, which lives as long as this one.
  /// If no plug-in has it, the call of the host ends with the host's own error, kNotFound, which
  /// lists the known names.
  ImageProvider& named(const std::string& name, const std::string& image, const Call& call);

 private:
  Host host_;
  CreateArgs args_;
  std::string fixed_;  // name of the only provider; empty: by image
  std::map<std::string, std::unique_ptr<ImageProvider>> opened_;
};

}  // namespace slipway::local
