#include "plugins/local/scheduler/image_providers.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "plugins/local/scheduler/local_images.hpp"
#include "slipway/error.hpp"
#include "slipway/hosted_image_provider.hpp"
#include "slipway/macros.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

namespace {

constexpr const char* kImageHint =
    "with the scheduler local an image is empty or \".\" (the current directory), a directory, a "
    "tar or zip archive, or NAME://... of an image provider";

/// Returns the only provider of the scheduler `entry`; empty for `local`, which has several.
std::string fixed_provider(const std::string& entry) {
  if (entry == "local_cwd") return "cwd";
  return entry == "local_dir" ? "dir" : "";
}

bool has_archive_name(std::string_view path) {
  for (const std::string_view end : {".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst",
                                     ".tzst", ".tar.bz2", ".tbz2", ".zip", ".whl"}) {
    if (path.ends_with(end)) return true;
  }
  return false;
}

/// Looks at the first bytes only. The provider refuses compressed files that contain no tar.
bool starts_like_archive(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char head[512] = {};
  const ssize_t n = fd ? ::pread(fd.get(), head, sizeof head, 0) : -1;
  if (n <= 0) return false;
  const std::string_view bytes(head, static_cast<std::size_t>(n));
  using namespace std::string_view_literals;
  for (const std::string_view magic : {"\x1F\x8B"sv, "BZh"sv,
                                       "\xFD"
                                       "7zXZ\0"sv,
                                       "\x28\xB5\x2F\xFD"sv, "PK\x03\x04"sv, "PK\x05\x06"sv}) {
    if (bytes.substr(0, magic.size()) == magic) return true;
  }
  constexpr std::size_t kTarMagic = 257;  // offset in the header of a tar
  return bytes.size() > kTarMagic && bytes.substr(kTarMagic, 5) == "ustar"sv;
}

/// Chooses the provider of an image by the table in image_providers.hpp. Throws kInvalid if no
/// provider takes the image.
std::string provider_for(const std::string& image) {
  if (image.empty() || image == ".") return "cwd";
  const std::size_t scheme = image.find("://");
  if (scheme == 0)
    throw Error(Code::kInvalid, "image \"" + image + "\" has an empty scheme", kImageHint);
  if (scheme != std::string::npos) return image.substr(0, scheme);
  if (image.find('\0') != std::string::npos)
    throw Error(Code::kInvalid, "an image contains a NUL character", kImageHint);
  struct stat st {};
  if (::stat(image.c_str(), &st) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      throw Error(Code::kInvalid, "image \"" + image + "\" does not exist", kImageHint);
    throw Error(Code::kInvalid,
                "cannot inspect image \"" + image +
                    "\": " + std::error_code(errno, std::generic_category()).message(),
                kImageHint);
  }
  if (S_ISDIR(st.st_mode)) return "dir";
  if (S_ISREG(st.st_mode) && (has_archive_name(image) || starts_like_archive(image)))
    return "archive";
  throw Error(Code::kInvalid, "image \"" + image + "\" is neither a directory nor an archive",
              kImageHint);
}

/// Adds the variables that an image provider gave for a role.
void add_provider_variables(const LaunchPlan& plan, LaunchGroup& group, const StrDict& env) {
  // A group whose macros have been replaced has one replica.
  const MacroValues values = macro_values(plan, group, group.first_replica);
  for (const auto& [key, value] : env)
    set(group.env, key, group.expand_macros ? value : substitute_macros(value, values));
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
    // The host gets an image that names its provider unchanged, so that an error can quote it.
    const bool by_scheme = image.compare(0, name.size() + 3, name + "://") == 0;
    provider = std::make_unique<HostedImageProvider>(host_, by_scheme ? image : name, call);
  }
  return *provider;
}

void ImageProviders::fetch(const LocalRequest& request, LaunchPlan& plan, const Call& call) {
  for (std::size_t i = 0; i < request.app().roles.size(); ++i) {
    const Role& role = request.app().roles[i];
    if (role.num_replicas == 0) continue;
    ImageProvider& provider = named(request.image_providers()[i], role.image, call);
    StrDict env;
    const std::string root = image_root(request.base_dir(), provider.fetch_role(role, env, call));
    for (LaunchGroup& group : plan.groups) {
      if (group.role != role.name) continue;
      if (group.img_root != root) {
        throw Error(Code::kPrecondition,
                    "the image of " + role.name + ", \"" + role.image +
                        "\", has changed since the request was made",
                    "it was expected in " + group.img_root + " and is in " + root + "; run again");
      }
      add_provider_variables(plan, group, env);
    }
    const auto lock = provider.use_lock(role.image, call);
    if (lock &&
        std::find(plan.held_files.begin(), plan.held_files.end(), *lock) == plan.held_files.end())
      plan.held_files.push_back(*lock);
  }
}

}  // namespace slipway::local
