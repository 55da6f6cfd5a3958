#include "plugins/python_components/component_cache.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sdk/support/file_text.hpp"

namespace slipway::python {

namespace {

namespace fs = std::filesystem;

// FNV-1a. The user owns the files and the cache, so a collision gives no one else access.
std::string digest(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return std::to_string(hash);
}

}  // namespace

ComponentCache::ComponentCache(std::string directory, std::string version)
    : directory_(std::move(directory)), version_(std::move(version)) {}

std::string ComponentCache::entry(const std::string& key) const {
  return directory_ + "/" + digest(key) + ".components";
}

std::string ComponentCache::head(const std::string& key, const std::string& content) const {
  return version_ + " " + digest(content) + " " + std::to_string(content.size()) + " " + key + "\n";
}

std::optional<std::string> ComponentCache::find(const std::string& key,
                                                const std::string& content) const {
  if (directory_.empty()) return std::nullopt;
  const std::string text = file_text(entry(key)).value_or("");
  const std::string expected = head(key, content);
  if (text.compare(0, expected.size(), expected) != 0) return std::nullopt;
  return text.substr(expected.size());
}

void ComponentCache::put(const std::string& key, const std::string& content,
                         const std::string& answer) const {
  if (directory_.empty()) return;
  std::error_code failed;
  fs::create_directories(directory_, failed);
  const std::string draft = entry(key) + "." + std::to_string(::getpid());
  std::ofstream out(draft, std::ios::binary);
  out << head(key, content) << answer;
  out.close();
  if (out) {
    fs::rename(draft, entry(key), failed);
  }
  if (!out || failed) fs::remove(draft, failed);
}

}  // namespace slipway::python
