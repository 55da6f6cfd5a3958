#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"

namespace slipway::lint {
namespace {

// Accepts only unmistakable paths: `images/trainer` may be a repository of a registry.
bool is_path(std::string_view image) {
  return image == "." || image == ".." || image.substr(0, 1) == "/" || image.substr(0, 2) == "./" ||
         image.substr(0, 3) == "../";
}

}  // namespace

void check_image(const RoleContext& context) {
  const std::string& image = context.role.image;
  if (!is_path(image) || image.find('\0') != std::string::npos) return;
  std::error_code error;
  if (std::filesystem::exists(image, error) || error == std::errc::permission_denied) return;
  context.warn(
      rule::kMissingImage, "image",
      "the path " + spec::quoted(image) + " does not exist on this machine",
      image.front() == '/' ? "" : "paths are relative to the directory slipway is called in");
}

}  // namespace slipway::lint
