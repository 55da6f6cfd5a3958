#include "plugins/local/scheduler/script_search.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kLongestScript = 1024 * 1024;  // bytes
constexpr std::string_view kLettersOfPaths =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/";

/// Returns whether the text contains a name of stdout or stderr.
bool names_stream(std::string_view text) {
  constexpr std::array<std::string_view, 6> kNames = {
      "/dev/stderr", "/dev/stdout", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/proc/self/fd/2"};
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
    return text.find(name) != std::string_view::npos;
  });
}

/// Returns whether the word is the name of a script (script_search.hpp).
bool names_script(std::string_view word) {
  constexpr std::array<std::string_view, 9> kSuffixes = {".sh", ".bash", ".zsh", ".ksh", ".py",
                                                         ".pl", ".rb",   ".lua", ".R"};
  constexpr std::array<std::string_view, 3> kPrefixes = {"/", "./", "../"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) {
                       return word.starts_with(prefix) && word.size() > prefix.size();
                     }) ||
         std::any_of(kSuffixes.begin(), kSuffixes.end(),
                     [&](std::string_view suffix) { return word.ends_with(suffix); });
}

/// Returns the text of the file, cut at kLongestScript. Returns nothing if it is an ELF binary, not
/// a regular file, or cannot be read.
std::string script_at(const std::string& path) {
  struct stat status {};
  // Opening a device can have an effect.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string text(4, '\0');
  if (!fd || ::pread(fd.get(), text.data(), text.size(), 0) < 0 ||
      text ==
          "\x7f"
          "ELF")
    return {};
  text.resize(std::min(static_cast<std::size_t>(status.st_size), kLongestScript));
  const ssize_t length = ::pread(fd.get(), text.data(), text.size(), 0);
  text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return text;
}

}  // namespace

bool ScriptSearch::finds_in_file(const std::string& path) {
  if (tried_.size() >= kMostScripts || !tried_.insert(path).second) return false;
  const std::string text = script_at(path);
  return !text.empty() && finds_in(text, path.substr(0, path.rfind('/')));
}

bool ScriptSearch::finds_in(std::string_view text, const std::string& directory) {
  if (names_stream(text)) return true;
  for (std::size_t start = 0; start < text.size();) {
    start = text.find_first_of(kLettersOfPaths, start);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_not_of(kLettersOfPaths, start), text.size());
    const std::string word(text.substr(start, end - start));
    start = end;
    if (!names_script(word)) continue;
    if (finds_in_file(word.front() == '/' ? word : cwd_ + '/' + word)) return true;
    // As in `. "$(dirname "$0")/d.sh"`.
    if (finds_in_file(directory + '/' + word)) return true;
  }
  return false;
}

}  // namespace slipway::local
