#include "sdk/support/permission_hint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "sdk/support/shell_words.hpp"

namespace slipway {

namespace {

/// Returns which bits of the mode apply to this process: "u", "g" or "o".
const char* class_of_process(const struct stat& st) {
  if (st.st_uid == ::geteuid()) return "u";
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 0)));
  if (::getgroups(count, groups.data()) < 0) groups.clear();
  groups.push_back(::getegid());
  return std::find(groups.begin(), groups.end(), st.st_gid) != groups.end() ? "g" : "o";
}

}  // namespace

std::string closed_directory(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1)) {
    std::string directory = path.substr(0, end);
    if (::faccessat(AT_FDCWD, directory.c_str(), X_OK, AT_EACCESS) != 0 && errno == EACCES)
      return directory;
  }
  return {};
}

std::string chmod_command(const std::string& change, const std::string& path) {
  return "chmod " + change + " " + shell_quoted(path);
}

std::string permission_hint(const std::string& path, const char* needed) {
  std::string closed = closed_directory(path);
  if (closed.empty()) {
    closed = path;
  } else {
    needed = "x";
  }
  struct stat st {};
  const char* who = ::stat(closed.c_str(), &st) == 0 ? class_of_process(st) : "o";
  return chmod_command(std::string(who) + "+" + needed, closed);
}

}  // namespace slipway
