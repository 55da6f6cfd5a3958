#include "plugins/local/scheduler/image_providers.hpp"

#include "plugins/local/scheduler/image_kind.hpp"
#include "plugins/local/scheduler/local_images.hpp"
#include "slipway/hosted_image_provider.hpp"

namespace slipway::local {

namespace {

std::string fixed_provider(const std::string& entry) {
  if (entry == "local_cwd") return "cwd";
  return entry == "local_dir" ? "dir" : "";
}

}  // namespace

ImageProviders::ImageProviders(Host host, const CreateArgs& args)
    : host_(host), args_(args), fixed_(fixed_provider(args.entry)) {}

std::string ImageProviders::name_for(const std::string& image, const LocalOptions& options) const {
  if (!fixed_.empty()) return fixed_;
  return options.image_provider.empty() ? provider_for(image) : options.image_provider;
}

ImageProvider& ImageProviders::named(const std::string& name, const std::string& image,
                                     const Call& call) {
  std::unique_ptr<ImageProvider>& provider = opened_[name];
  if (provider) return *provider;
  if (name == "cwd") {
    provider = std::make_unique<CwdImages>(host_, args_);
  } else if (name == "dir") {
    provider = std::make_unique<DirImages>(host_, args_);
  } else {
    // An image that names its provider goes to the host as it is, so that an error can quote it.
    const bool by_scheme = image.compare(0, name.size() + 3, name + "://") == 0;
    provider = std::make_unique<HostedImageProvider>(host_, by_scheme ? image : name, call);
  }
  return *provider;
}

}  // namespace slipway::local
