#include "plugins/archive_image/link_check.hpp"

#include <limits.h>
#include <unistd.h>

#include <deque>
#include <string_view>

#include "plugins/archive_image/entry_path.hpp"
#include "slipway/error.hpp"

namespace slipway::archive_image {

namespace {

constexpr int kMostLinks = 40;  // the kernel's own limit

/// Puts the parts of a path before what is still to be walked.
void prepend(std::deque<std::string>& ahead, std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  ahead.insert(ahead.begin(), parts.begin(), parts.end());
}

void check_link(int root_fd, const std::string& link) {
  std::deque<std::string> ahead;
  std::vector<std::string> here;  // without links
  prepend(ahead, link);
  for (int links = 0; !ahead.empty();) {
    const std::string part = std::move(ahead.front());
    ahead.pop_front();
    if (part == "..") {
      if (here.empty())
        throw Error(Code::kInvalid, "entry \"" + shown(link) + "\" is a link out of the image");
      here.pop_back();
      continue;
    }
    here.push_back(part);
    char target[PATH_MAX];
    const ssize_t n = ::readlinkat(root_fd, joined(here).c_str(), target, sizeof target);
    if (n < 0) continue;  // no link, or not there
    const std::string_view text(target, static_cast<std::size_t>(n));
    if (text.substr(0, 1) == "/") {
      throw Error(
          Code::kInvalid,
          "entry \"" + shown(link) + "\" is a link out of the image, to \"" + shown(text) + "\"",
          "outside_links = true in the plug-in's [plugin.config] allows such links");
    }
    if (++links > kMostLinks)
      throw Error(Code::kInvalid, "entry \"" + shown(link) + "\" is a link that goes in circles");
    here.pop_back();
    prepend(ahead, text);
  }
}

}  // namespace

void check_links(int root_fd, const std::vector<std::string>& links) {
  for (const std::string& link : links) check_link(root_fd, link);
}

}  // namespace slipway::archive_image
