// An image provider with a scheme of its own: `shelf://tools/1.2` is the directory `tools/1.2` of a
// shelf, say a mounted share, and a copy of it on this machine is what replicas run in.
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "slipway/ids.hpp"
#include "slipway/plugin.hpp"

namespace {

namespace fs = std::filesystem;
using slipway::Call;
using slipway::Code;
using slipway::Error;

struct ImageName {
  std::string name;
  std::string version;
};

ImageName parse(std::string_view image) {
  const std::size_t scheme = image.find("://");
  const std::string_view rest = scheme == std::string_view::npos ? image : image.substr(scheme + 3);
  const std::size_t slash = rest.find('/');
  ImageName out{std::string(rest.substr(0, slash)), {}};
  if (slash != std::string_view::npos) out.version = std::string(rest.substr(slash + 1));
  const auto unusable = [](const std::string& part) {
    return part.empty() || part[0] == '.' || part.find('/') != std::string::npos;
  };
  if (unusable(out.name) || unusable(out.version))
    throw Error(Code::kInvalid, "\"" + std::string(image) + "\" is not an image of a shelf",
                "write shelf://NAME/VERSION");
  return out;
}

class ShelfImages : public slipway::ImageProvider {
 public:
  using ImageProvider::ImageProvider;

  // For a dry run, too: says where the image will be and changes nothing.
  std::string resolve(std::string_view image, const Call& call) override {
    const ImageName wanted = parse(image);
    const fs::path source = shelf() / wanted.name / wanted.version;
    if (!fs::is_directory(source))
      throw Error(Code::kInvalid, "there is no image " + source.string(),
                  "the shelf is where SHELF_ROOT points to");
    return (fs::path(host().state_dir(call)) / "shelf" / wanted.name / wanted.version).string();
  }

  // Somebody else may be fetching the same image, and either of us may be killed: a copy counts
  // once it has its name.
  std::string fetch(std::string_view image, const Call& call) override {
    const fs::path place = resolve(image, call);
    if (fs::is_directory(place)) return place.string();
    const ImageName wanted = parse(image);
    host().log(slipway::LogLevel::kInfo, "copying " + wanted.name + " " + wanted.version);
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    const fs::path copy = place.parent_path() / ("." + slipway::make_unique_id("copy"));
    if (!error) {
      fs::copy(shelf() / wanted.name / wanted.version, copy,
               fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
    }
    if (!error) fs::rename(copy, place, error);
    if (!error) return place.string();
    std::error_code ignored;
    fs::remove_all(copy, ignored);
    if (fs::is_directory(place)) return place.string();  // the other one was first
    throw Error(Code::kCantCreate, "cannot copy to " + place.string() + ": " + error.message());
  }

  std::string fetch_role(const slipway::Role& role, slipway::StrDict& env,
                         const Call& call) override {
    env.emplace_back("SHELF_VERSION", parse(role.image).version);
    return fetch(role.image, call);
  }

  // The program is the image's own, whatever PATH says, and runs where `slipway` was called.
  std::string entrypoint(std::string_view img_root, const slipway::Role& role) override {
    return (fs::path(img_root) / role.entrypoint).string();
  }

 private:
  static fs::path shelf() {
    const char* root = std::getenv("SHELF_ROOT");
    if (root == nullptr || *root != '/')
      throw Error(Code::kPrecondition, "SHELF_ROOT is not the path of a shelf",
                  "export SHELF_ROOT=/path/of/shelf");
    return root;
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.example.shelf_images", "1.0.0",
               SLIPWAY_PROVIDER(ShelfImages, "shelf", "images by name and version from a shelf"))
