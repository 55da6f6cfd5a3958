#include "plugins/archive_image/entry_path.hpp"

#include "plugins/archive_image/settings.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/error.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::archive_image {

namespace {

constexpr std::size_t kMaxPartBytes = 255;  // NAME_MAX
// Limits the system calls for an entry: TreeWriter opens each directory above it.
constexpr std::size_t kMaxParts = 256;
constexpr std::size_t kMaxPrintedBytes = 120;

}  // namespace

std::vector<std::string> entry_parts(std::string_view name, std::size_t max_bytes,
                                     const std::string& what) {
  const auto refuse = [&, whole = name](const std::string& why, const char* hint = "") {
    throw Error(Code::kInvalid, what + " \"" + printable_name(whole) + "\" " + why, hint);
  };
  if (name.empty()) refuse("has no name");
  if (name.front() == '/') refuse("has an absolute path");
  if (name.size() > max_bytes) {
    refuse("has a path of more than " + std::to_string(max_bytes) + " bytes (max_path_bytes)",
           kLimitHint);
  }
  std::vector<std::string> parts;
  while (!name.empty()) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part == "..") refuse("leads out of the image (\"..\")");
    if (part.size() > kMaxPartBytes) refuse("has a name of more than 255 bytes");
    if (!part.empty() && part != ".") parts.emplace_back(part);
    if (parts.size() > kMaxParts) refuse("lies below more than 255 directories");
    if (slash == std::string_view::npos) break;
    name.remove_prefix(slash + 1);
  }
  return parts;
}

std::string entry_path(const std::vector<std::string>& parts) {
  return parts.empty() ? std::string(1, '.') : joined(parts, "/");
}

std::string printable_name(std::string_view name) {
  if (name.size() <= kMaxPrintedBytes) return visible_line(name);
  const std::string_view front = name.substr(0, kMaxPrintedBytes);
  return visible_line(front.substr(0, whole_characters(front))) + "…";
}

}  // namespace slipway::archive_image
