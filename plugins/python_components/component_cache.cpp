#include "plugins/python_components/component_cache.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "sdk/support/directory_maker.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/fnv_hash.hpp"
#include "sdk/support/ownership.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::python {

namespace {

// A weak hash is enough: the user owns the files and the cache, so a collision gives no other user
// access.
std::string digest(const std::string& text) { return std::to_string(fnv_hash(text)); }

}  // namespace

bool make_own_cache(const std::string& directory) {
  try {
    DirectoryMaker("cache", kStateHint).open_own_levels(directory, {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

ComponentCache::ComponentCache(std::string directory, std::string version)
    : directory_(std::move(directory)), version_(std::move(version)) {}

std::string ComponentCache::path_of(const std::string& key) const {
  return directory_ + "/" + digest(key) + ".components";
}

std::string ComponentCache::first_line(const std::string& key, const std::string& content) const {
  return version_ + " " + digest(content) + " " + std::to_string(content.size()) + " " + key + "\n";
}

std::optional<std::string> ComponentCache::find(const std::string& key,
                                                const std::string& content) const {
  struct stat info {};
  if (directory_.empty() || ::stat(directory_.c_str(), &info) != 0 || !distrust(info).empty())
    return std::nullopt;
  const std::string text = file_text(path_of(key)).value_or("");
  const std::string expected = first_line(key, content);
  if (text.compare(0, expected.size(), expected) != 0) return std::nullopt;
  return text.substr(expected.size());
}

void ComponentCache::put(const std::string& key, const std::string& content,
                         const std::string& answer) const {
  if (directory_.empty()) return;
  if (!make_own_cache(directory_)) return;
  std::string draft = path_of(key) + ".XXXXXX";
  const OwnedFd file(::mkostemp(draft.data(), O_CLOEXEC));
  if (!file) return;
  const bool is_whole = write_all(file.get(), first_line(key, content) + answer);
  if (!is_whole || ::rename(draft.c_str(), path_of(key).c_str()) != 0) ::unlink(draft.c_str());
}

}  // namespace slipway::python
