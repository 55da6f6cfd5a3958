// The image providers of one scheduler object: chosen by image, opened, and called before a launch.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "plugins/local/scheduler/local_options.hpp"
#include "plugins/local/scheduler/local_request.hpp"
#include "slipway/image_provider.hpp"

namespace slipway::local {

/// `local_cwd` and `local_dir` have one provider each. `local` uses the provider in the run option
/// `image_provider`, or chooses one for each image:
///
/// | image | provider |
/// |--|--|
/// | empty, `.` | `cwd` |
/// | `NAME://…` | `NAME` |
/// | a directory | `dir` |
/// | a file whose name or first bytes are those of a tar or zip archive | `archive` |
///
/// `cwd` and `dir` belong to this plug-in (local_images.hpp). The host opens every other one. Not
/// thread safe.
class ImageProviders {
 public:
  ImageProviders(Host host, const CreateArgs& args);

  /// Returns the name of the provider of a role's image. Throws kInvalid if no provider takes the
  /// image. Changes nothing.
  std::string name_for(const std::string& image, const LocalOptions& options) const;

  /// Returns whether the provider belongs to this plug-in. Such a provider leaves commands
  /// unchanged and decides only the working directory. Others make the command of each replica.
  static bool is_own(const std::string& name) { return name == "cwd" || name == "dir"; }

  /// Returns the provider called `name`, always the same object, which lives as long as this one.
  /// `image` is the image that needs it, for the host's message. Throws what the host reports,
  /// kNotFound with the known names if no plug-in has the provider.
  ImageProvider& named(const std::string& name, const std::string& image, const Call& call);

  /// Fetches the image of every role that has replicas. Adds to `plan`, the request's plan for this
  /// launch, the variables of the providers and the locks that keep the images. May take long.
  /// Throws what a provider reports, and kPrecondition if an image is at another place than when
  /// the request was made; the app must not start then.
  void fetch(const LocalRequest& request, LaunchPlan& plan, const Call& call);

 private:
  Host host_;
  CreateArgs args_;
  std::string fixed_;  // name of the only provider; empty: the option or the image decides
  std::map<std::string, std::unique_ptr<ImageProvider>> opened_;
};

}  // namespace slipway::local
