// The image providers that one scheduler object has opened, by name.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "plugins/local/scheduler/image_source.hpp"
#include "plugins/local/scheduler/local_options.hpp"

namespace slipway::local {

/// `local_cwd` and `local_dir` have one provider each; `local` chooses one for each image
/// (image_kind.hpp), or takes that of the run option `image_provider`. `cwd` and `dir` are this
/// plug-in's own; every other is asked of the host. Not thread safe.
class ImageSources {
 public:
  ImageSources(Host host, const CreateArgs& args);

  /// The name of the provider that a role's image is for. Throws Error kInvalid for an image that
  /// is for none.
  std::string name_for(const std::string& image, const LocalOptions& options) const;

  /// The provider of that name, the same one at every call; it lives as long as this object. When
  /// there is none, the call of the host ends with the host's own error, kNotFound, which lists
  /// those that there are.
  ImageSource& named(const std::string& name, const std::string& image, const Call& call);

 private:
  Host host_;
  CreateArgs args_;
  std::string fixed_;  // name of the only provider; empty: by image
  std::map<std::string, std::unique_ptr<ImageSource>> opened_;
};

}  // namespace slipway::local
