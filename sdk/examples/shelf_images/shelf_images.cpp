// An image provider with its own URL scheme: `shelf://tools/1.2` is the directory `tools/1.2` of a
// shelf, such as a mounted share. Replicas use a copy of it on this machine.
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "slipway/config.hpp"
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

// Returns the parts of "shelf://NAME/VERSION" or "NAME/VERSION".
ImageName parse(std::string_view image) {
  const std::size_t scheme = image.find("://");
  const std::string_view rest = scheme == std::string_view::npos ? image : image.substr(scheme + 3);
  const std::size_t slash = rest.find('/');
  ImageName out{std::string(rest.substr(0, slash)), {}};
  if (slash != std::string_view::npos) out.version = std::string(rest.substr(slash + 1));
  // A leading '.' stands for unfinished copies and for the directories "." and "..".
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

  // Returns the image's future directory and changes nothing, because dry runs also call it.
  std::string resolve(std::string_view image, const Call& call) override {
    const ImageName wanted = parse(image);
    const fs::path source = shelf() / wanted.name / wanted.version;
    if (!fs::is_directory(source))
      throw Error(Code::kNotFound, "there is no image " + source.string(),
                  "the shelf is the directory in SHELF_ROOT, or root of the manifest");
    return (fs::path(host().state_dir(call)) / "shelf" / wanted.name / wanted.version).string();
  }

  // Copies under another name and renames the complete copy, because another process may fetch the
  // same image, and any process may be killed.
  std::string fetch(std::string_view image, const Call& call) override {
    const fs::path place = resolve(image, call);
    if (fs::is_directory(place)) return place.string();
    const ImageName wanted = parse(image);
    host().log(slipway::LogLevel::kInfo, "copying " + wanted.name + " " + wanted.version);
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    const fs::path copy = place.parent_path() / ("." + slipway::make_unique_id("copy"));
    if (!error) copy_tree(shelf() / wanted.name / wanted.version, copy, call, error);
    if (!error) fs::rename(copy, place, error);
    if (!error) return place.string();
    std::error_code ignored;
    fs::remove_all(copy, ignored);
    call.check();  // throws if the caller cancelled, which is not a failure to copy
    if (fs::is_directory(place)) return place.string();  // another process was first
    throw Error(Code::kCantCreate, "cannot copy to " + place.string() + ": " + error.message());
  }

  std::string fetch_role(const slipway::Role& role, slipway::StrDict& env,
                         const Call& call) override {
    env.emplace_back("SHELF_VERSION", parse(role.image).version);
    return fetch(role.image, call);
  }

  // Uses the program of the image and ignores PATH.
  std::string entrypoint(std::string_view img_root, const slipway::Role& role,
                         const slipway::Call& /*call*/) override {
    return (fs::path(img_root) / role.entrypoint).string();
  }

 private:
  // Stops with an error if the caller cancels.
  static void copy_tree(const fs::path& from, const fs::path& to, const Call& call,
                        std::error_code& error) {
    fs::create_directory(to, from, error);
    for (fs::recursive_directory_iterator entry(from, error), end; !error && entry != end;
         entry.increment(error)) {
      if (call.cancelled()) error = std::make_error_code(std::errc::operation_canceled);
      if (error) return;
      const fs::path target = to / entry->path().lexically_relative(from);
      if (entry->is_directory() && !entry->is_symlink()) {
        fs::create_directory(target, entry->path(), error);
      } else {
        fs::copy(entry->path(), target, fs::copy_options::copy_symlinks, error);
      }
      if (error) return;
    }
  }

  // Returns the directory of the shelf. A variable of the user replaces the manifest's value.
  fs::path shelf() const {
    config_.require_known({"root"});
    const char* variable = std::getenv("SHELF_ROOT");
    const std::string root = variable != nullptr ? variable : config_.text("root").value_or("");
    if (root.empty() || root[0] != '/')
      throw Error(Code::kPrecondition, "there is no path of a shelf",
                  "export SHELF_ROOT=/path/of/shelf, or set root under [plugin.config] in the "
                  "manifest");
    return root;
  }

  const slipway::Config config_{host(), args().config_json};
};

}  // namespace

SLIPWAY_PLUGIN("org.example.shelf_images", "1.0.0",
               SLIPWAY_PROVIDER(ShelfImages, "shelf", "images by name and version from a shelf"))
