#include "plugins/local/scheduler/local_images.hpp"

#include <filesystem>
#include <system_error>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr std::string_view kDirScheme = "dir://";

std::string directory_of(std::string_view image) {
  if (image.substr(0, kDirScheme.size()) == kDirScheme) image.remove_prefix(kDirScheme.size());
  return std::string(image);
}

}  // namespace

std::string current_directory() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  if (error) {
    throw Error(Code::kPrecondition, "the current directory cannot be used: " + error.message(),
                "it may have been removed: change to a directory that exists");
  }
  return path.string();
}

std::string CwdImages::resolve(std::string_view, const Call&) { return current_directory(); }

std::optional<std::string> CwdImages::cwd(std::string_view, const Call&) {
  return current_directory();
}

std::string DirImages::resolve(std::string_view image, const Call&) {
  const std::string path = directory_of(image);
  std::error_code error;
  if (path.find('\0') != std::string::npos || !std::filesystem::is_directory(path, error)) {
    throw Error(Code::kInvalid, "image \"" + path + "\" does not exist or is not a directory",
                "local_dir and dir:// take directories of this machine; local_cwd ignores images");
  }
  return path;
}

std::optional<std::string> DirImages::cwd(std::string_view image, const Call&) {
  return directory_of(image);
}

}  // namespace slipway::local
