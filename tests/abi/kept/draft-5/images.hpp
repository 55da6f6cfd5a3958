// Images that are directories.
#pragma once

#include <sys/stat.h>

#include <string>

#include "slipway/image_provider.hpp"

namespace kept {

inline bool is_directory(const std::string& path) {
  struct stat found = {};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

/// Returns the path without the scheme `kept`, or an empty text if it is not absolute.
inline std::string path_of(std::string_view name) {
  constexpr std::string_view kScheme = "kept://";
  if (name.substr(0, kScheme.size()) == kScheme) name.remove_prefix(kScheme.size());
  return name.substr(0, 1) == "/" ? std::string(name) : std::string();
}

class Images : public slipway::ImageProvider {
 public:
  using ImageProvider::ImageProvider;

  std::string resolve(std::string_view image, const slipway::Call& /*call*/) override {
    const std::string path = path_of(image);
    if (path.empty())
      throw slipway::Error(slipway::Code::kInvalid, "the image is no absolute path",
                           "write kept:///directory");
    return path;
  }
  std::string fetch(std::string_view image, const slipway::Call& call) override {
    std::string path = resolve(image, call);
    if (!is_directory(path))
      throw slipway::Error(slipway::Code::kNotFound, "the image is no directory");
    return path;
  }
};

}  // namespace kept
