#include "core/spec/document_text.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/spec/document.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/text_cursor.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::spec {
namespace {

/// Returns the hint that names the file in the same directory, with the same extension, that `path`
/// most likely means; empty if there is none or the directory is large.
std::string near_file(const std::string& path) {
  constexpr std::size_t kMostEntries = 10'000;
  const std::string directory = path.substr(0, path.rfind('/') + 1);
  const std::string wanted = path.substr(directory.size());
  const std::string extension = wanted.substr(std::min(wanted.rfind('.'), wanted.size()));
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(
      ::opendir(directory.empty() ? "." : directory.c_str()), ::closedir);
  std::vector<std::string> names;
  std::size_t left = kMostEntries;
  while (const dirent* const entry = listing ? ::readdir(listing.get()) : nullptr) {
    if (left-- == 0) return {};
    const std::string name = entry->d_name;
    if (name.ends_with(extension)) names.push_back(name);
  }
  const std::optional<std::string> near = near_name(wanted, names);
  return near ? "did you mean " + visible_text(directory + *near) + "?" : std::string();
}

[[noreturn]] void cannot_read(const std::string& path, int error) {
  const std::string reason = std::generic_category().message(error);
  switch (error) {
    case ENOENT:
    case ENOTDIR: throw Error(Code::kNotFound, "no such file: " + quoted(path), near_file(path));
    case EACCES:
    case EPERM:
      throw Error(Code::kDenied, "cannot read " + quoted(path) + ": " + reason,
                  "check the permissions of the file and its directories");
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EINTR: throw Error(Code::kTemporary, "cannot read " + quoted(path) + ": " + reason);
    // The path itself is wrong, or (ENXIO) it is that of a socket.
    case ELOOP:
    case ENAMETOOLONG:
    case ENXIO:
    case EINVAL: throw Error(Code::kInvalid, "cannot read " + quoted(path) + ": " + reason);
    default: throw Error(Code::kInternal, "cannot read " + quoted(path) + ": " + reason);
  }
}

[[noreturn]] void too_large(const std::string& source, std::size_t bytes) {
  throw Error(Code::kInvalid,
              quoted(source) + " is too large: " + std::to_string(bytes) + " bytes, at most " +
                  std::to_string(kMaxDocumentBytes) + " are read",
              "is it the right file?");
}

// Names the kind of an opened file that is not a regular one.
const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  return "a device";
}

}  // namespace

std::string read_text_file(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    throw Error(Code::kInvalid, "the file name " + quoted(path) + " contains a NUL character");
  }
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) cannot_read(path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) cannot_read(path, errno);
  if (!S_ISREG(info.st_mode)) {
    throw Error(Code::kInvalid, quoted(path) + " is " + kind_of(info.st_mode) + ", not a file",
                S_ISFIFO(info.st_mode) ? "give `-` to read from standard input" : "");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > kMaxDocumentBytes) too_large(path, size);

  // The file may grow while it is read, so the buffer stays larger than the text until read()
  // reports the end.
  std::string text(size + 1, '\0');
  std::size_t length = 0;
  for (;;) {
    const ssize_t got = ::read(file.get(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, errno);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
    if (length > kMaxDocumentBytes) too_large(path, length);
    if (length == text.size()) text.resize(text.size() + 65536);
  }
  text.resize(length);
  return text;
}

std::string_view checked_text(std::string_view text, const std::string& source) {
  if (text.size() > kMaxDocumentBytes) too_large(source, text.size());
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const bool utf16 =
        text.size() > 1 && (text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff");
    refuse(source, TextCursor::mark_at(text, nul), "NUL byte: this is not a text file",
           utf16 ? "it looks like UTF-16, save it as UTF-8" : "is it the right file?");
  }
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos) {
    refuse(source, TextCursor::mark_at(text, bad), "not UTF-8", "save the file as UTF-8");
  }
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  return text;
}

void refuse(const std::string& source, Mark at, std::string message, std::string hint) {
  Problem problem;
  problem.where = Position{source, at.line, at.column};
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  problem.rule = rule::kSyntax;
  throw InvalidApp({std::move(problem)});
}

}  // namespace slipway::spec
