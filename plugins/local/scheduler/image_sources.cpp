#include "plugins/local/scheduler/image_sources.hpp"

#include "plugins/local/scheduler/image_kind.hpp"
#include "plugins/local/scheduler/local_images.hpp"

namespace slipway::local {

namespace {

std::string fixed_provider(const std::string& entry) {
  if (entry == "local_cwd") return "cwd";
  return entry == "local_dir" ? "dir" : "";
}

}  // namespace

ImageSources::ImageSources(Host host, const CreateArgs& args)
    : host_(host), args_(args), fixed_(fixed_provider(args.entry)) {}

std::string ImageSources::name_for(const std::string& image, const LocalOptions& options) const {
  if (!fixed_.empty()) return fixed_;
  return options.image_provider.empty() ? provider_for(image) : options.image_provider;
}

ImageSource& ImageSources::named(const std::string& name, const std::string& image,
                                 const Call& call) {
  std::unique_ptr<ImageSource>& source = opened_[name];
  if (source) return *source;
  if (name == "cwd") {
    source = std::make_unique<OwnImages>(std::make_unique<CwdImages>(host_, args_));
  } else if (name == "dir") {
    source = std::make_unique<OwnImages>(std::make_unique<DirImages>(host_, args_));
  } else {
    // The image where it says who its provider is: an error of the host can then name it.
    const bool by_scheme = image.compare(0, name.size() + 3, name + "://") == 0;
    source =
        std::make_unique<HostedImages>(HostedImageProvider(host_, by_scheme ? image : name, call));
  }
  return *source;
}

}  // namespace slipway::local
