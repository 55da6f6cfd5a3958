#include "core/registry/place_findings.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>

#include "sdk/support/permission_hint.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kRead = S_IROTH;
constexpr mode_t kEnter = S_IXOTH;  // for a program: to run it

constexpr int kMostLinks = 40;  // that the kernel follows on one path

/// Returns whether other users have the permissions `needed`, or true if the path disappeared.
bool others_may(const fs::path& path, mode_t needed) {
  struct stat st {};
  return ::stat(path.c_str(), &st) != 0 || (st.st_mode & needed) == needed;
}

/// Returns whether users other than the owner can run this executable.
bool others_run_this() {
  std::error_code unknown;
  fs::path each = fs::read_symlink("/proc/self/exe", unknown);
  for (; each.has_relative_path(); each = each.parent_path()) {
    if (!others_may(each, kEnter)) return false;
  }
  return !unknown;
}

}  // namespace

PlaceFindings::PlaceFindings(const TrustPolicy& trust)
    : trust_(trust), is_root_(::geteuid() == 0), is_shared_installation_(others_run_this()) {}

void PlaceFindings::warn(const std::string& path, std::string message, std::string hint) {
  found_.push_back(
      {spec::Severity::kWarning, {path}, {}, std::move(message), std::move(hint), Code::kDenied});
}

void PlaceFindings::check(const std::string& path, Origin origin) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return;
  // Slipway lists the entries of a place, but only needs to enter other directories.
  const bool is_place = fs::is_directory(real, error);
  check_for_other_users(real.string(), is_place ? kRead | kEnter : kRead, origin);
  check_above(real.string(), is_place, origin);
  check_links(path, origin);
}

void PlaceFindings::check_program(const std::string& path, Origin origin) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return;
  check_for_other_users(real.string(), kEnter, origin);
  check_above(real.string(), /*is_place=*/false, origin);
  check_links(path, origin);
}

/// Checks all directories above a file, or above a place.
void PlaceFindings::check_above(const std::string& real, bool is_place, Origin origin) {
  for (fs::path each = real; each.has_relative_path();) {
    // Does not check who may write to the file's own directory: check_trusted() has refused a file
    // in an untrusted one.
    const bool is_own_directory = !is_place && each == real;
    each = each.parent_path();
    check_for_other_users(each.string(), kEnter, origin);
    if (!is_own_directory) check_ancestor(each.string(), origin);
  }
}

/// Checks the directories above each symbolic link on the way to an existing file: a user who can
/// replace the link chooses the file.
void PlaceFindings::check_links(const std::string& path, Origin origin) {
  const fs::path start = fs::path(path).relative_path();
  std::deque<fs::path> parts(start.begin(), start.end());
  int links = 0;
  for (fs::path real = "/"; !parts.empty();) {  // `real` has no links, and no `.` or empty parts
    const fs::path part = parts.front();
    parts.pop_front();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      real = real.parent_path();
      continue;
    }
    std::error_code no_link;
    const fs::path target = fs::read_symlink(real / part, no_link);
    if (no_link) {
      real /= part;
      continue;
    }
    if (++links > kMostLinks) return;  // the links were changed after the caller followed them
    // As with a place, checks who may write to the directory that contains the link.
    check_above((real / part).string(), /*is_place=*/true, origin);
    if (target.is_absolute()) real = "/";
    const fs::path rest = target.relative_path();
    parts.insert(parts.begin(), rest.begin(), rest.end());
  }
}

void PlaceFindings::check_ancestor(const std::string& directory, Origin origin) {
  struct stat st {};
  if (::stat(directory.c_str(), &st) != 0) return;
  try {
    check_trusted(trust_, origin, directory, st, "the directory");
  } catch (const Error& error) {
    const std::string key = "writable " + directory;
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
    seen_.push_back(key);
    warn(directory, error.message() + ", so files that Slipway uses below it can be replaced",
         error.hint());
  }
}

void PlaceFindings::check_for_other_users(const std::string& path, mode_t needed, Origin origin) {
  const bool is_installed = origin == Origin::kShared || origin == Origin::kVendor;
  const bool is_for_all = origin == Origin::kSite || (is_installed && is_shared_installation_);
  if (!is_root_ || !is_for_all || others_may(path, needed)) return;
  const std::string key = "readable " + path;
  if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
  seen_.push_back(key);
  const char* mode = needed == kRead ? "r" : needed == kEnter ? "x" : "rx";
  warn(path, "not accessible to others: only root can use the files of Slipway here",
       chmod_command(std::string("o+") + mode, path));
}

void check_places(Registry& registry, PlaceFindings& findings) {
  for (const SearchEntry& place : registry.searched()) {
    if (place.usable) findings.check(place.path, place.origin);
  }
  for (const PluginEntry& plugin : registry.entries()) {
    findings.check(plugin.source.file, plugin.origin);
    if (!plugin.library.empty()) findings.check(plugin.library, plugin.origin);
  }
  for (const InlineResource& resource : registry.inline_resources())
    findings.check(resource.source.file, resource.origin);
}

}  // namespace slipway::registry
