#include "core/registry/manifests/manifest_texts.hpp"

#include <dirent.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "core/registry/manifests/manifest.hpp"
#include "sdk/support/directory_stream.hpp"
#include "sdk/support/missing_path.hpp"
#include "sdk/support/permission_hint.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

// Returns the manifests in a directory, sorted by name because readdir() has no order; nullopt,
// with errno set, if the directory cannot be read.
std::optional<std::vector<std::string>> manifests_in(const std::string& directory) {
  const DirectoryStream open(opendir(directory.c_str()));
  if (open == nullptr) return std::nullopt;
  constexpr std::string_view kExtension = ".toml";
  std::vector<std::string> files;
  for (errno = 0; const dirent* entry = readdir(open.get()); errno = 0) {
    const std::string_view name = entry->d_name;
    // Editors and package managers give unfinished files a leading dot.
    if (name.size() <= kExtension.size() || name[0] == '.') continue;
    if (name.substr(name.size() - kExtension.size()) == kExtension)
      files.push_back(directory + "/" + std::string(name));
  }
  if (errno != 0) return std::nullopt;
  std::sort(files.begin(), files.end());
  return files;
}

bool is_link(const std::string& path) {
  struct stat st {};
  return lstat(path.c_str(), &st) == 0 && S_ISLNK(st.st_mode);
}

spec::Problem problem_at(const std::string& path, const Error& error) {
  return {spec::Severity::kError, {path}, {}, error.message(), error.hint(), error.code()};
}

class Reader {
 public:
  explicit Reader(const TrustPolicy& trust) : trust_(trust) {}

  void read_place(SearchEntry place) {
    if (!place.usable) {
      found_.searched.push_back(std::move(place));
      return;
    }
    struct stat st {};
    const int reason = stat(place.path.c_str(), &st) == 0 ? 0 : errno;
    const bool is_file = reason == 0 && !S_ISDIR(st.st_mode);
    const Origin origin = place.origin;
    const std::string path = place.path;
    if (is_file) {
      try {
        check_directory_trusted(trust_, origin, path);
        read_file(path, origin);
      } catch (const Error& error) {
        refuse(place, error);
      }
    } else {
      read_directory(place, st, reason);
    }
    found_.searched.push_back(std::move(place));
    if (is_file) return;
    SearchEntry resources{resources_dir_of(path), origin};
    struct stat resources_st {};
    const int resources_reason = stat(resources.path.c_str(), &resources_st) == 0 ? 0 : errno;
    const bool is_missing = resources_reason == ENOENT || resources_reason == ENOTDIR;
    // Most directories have no resources.d beside them.
    if (is_missing && !is_link(resources.path)) return;
    read_directory(resources, resources_st, resources_reason);
    found_.searched.push_back(std::move(resources));
  }

  ManifestTexts take() { return std::move(found_); }

 private:
  // `reason` is the errno of stat() for the place, or 0 if `st` has its status.
  void read_directory(SearchEntry& place, const struct stat& st, int reason) {
    if (reason == 0 && !S_ISDIR(st.st_mode)) {
      refuse(place, obstacle_error({place.path, {}}));
      return;
    }
    if (reason == ENOENT || reason == ENOTDIR) {
      place.usable = false;
      place.state = "does not exist";
      const std::optional<PathObstacle> obstacle = obstacle_of(place.path);
      // A link to nothing is always a mistake; a file in place of a directory is one on the way to
      // the site's place. On the way to a user's place it is common: HOME=/dev/null.
      if (obstacle && (!obstacle->target.empty() || place.origin == Origin::kSite))
        refuse(place, obstacle_error(*obstacle));
      return;
    }
    if (reason != 0) {
      refuse(place, cannot_read(place, reason));
      return;
    }
    const std::pair<dev_t, ino_t> identity(st.st_dev, st.st_ino);
    // A flag and a variable may name the same directory. Its entries would shadow themselves.
    if (seen_.count(identity) != 0) {
      place.usable = false;
      place.state = "ignored: already searched";
      return;
    }
    try {
      check_trusted(trust_, place.origin, place.path, st, "the directory");
    } catch (const Error& error) {
      // Trust depends on the origin, so a later place may have the same directory read.
      refuse(place, error);
      return;
    }
    seen_.insert(identity);
    const auto files = manifests_in(place.path);
    if (!files) {
      refuse(place, cannot_read(place, errno));
      return;
    }
    for (const std::string& file : *files) {
      try {
        read_file(file, place.origin);
      } catch (const Error& error) {
        found_.manifests.push_back({file, place.origin, {}, problem_at(file, error)});
      }
    }
  }

  static Error cannot_read(const SearchEntry& place, int reason) {
    return {reason == EACCES ? Code::kDenied : Code::kUnavailable,
            fmt::format("the directory {} cannot be read: {}", place.path, std::strerror(reason)),
            reason == EACCES ? permission_hint(place.path, "rx") : std::string()};
  }

  static Error obstacle_error(const PathObstacle& obstacle) {
    return {Code::kConfig, to_string(obstacle), obstacle_hint(obstacle)};
  }

  void refuse(SearchEntry& place, const Error& error) {
    place.usable = false;
    place.state = "refused: " + error.message();
    found_.manifests.push_back({place.path, place.origin, {}, problem_at(place.path, error)});
  }

  // Throws if the file cannot be read or is not trusted.
  void read_file(const std::string& file, Origin origin) {
    if (files_.count(file) != 0) return;  // a flag may name a file of a searched directory
    std::string text = read_manifest_text(file, origin, trust_);
    found_.manifests.push_back({file, origin, std::move(text), {}});
    files_.insert(file);
  }

  const TrustPolicy& trust_;
  ManifestTexts found_;
  std::set<std::pair<dev_t, ino_t>> seen_;  // the directories that were read
  std::set<std::string> files_;             // the files that were read
};

}  // namespace

ManifestTexts read_manifest_texts(std::vector<SearchEntry> path, const TrustPolicy& trust) {
  Reader reader(trust);
  for (SearchEntry& place : path) reader.read_place(std::move(place));
  return reader.take();
}

}  // namespace slipway::registry
