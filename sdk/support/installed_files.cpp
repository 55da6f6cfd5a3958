#include "sdk/support/installed_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "sdk/support/permission_hint.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstallAgain = "the installation is incomplete: install Slipway again";

/// What the caller does with a file.
enum class Use { kRun, kRead, kList };

/// Returns the status of `file`. Throws if the file is missing or cannot be reached.
struct stat status_of(const fs::path& file, const std::string& what) {
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) return status;
  const int reason = errno;
  if (reason == ENOENT || reason == ENOTDIR)
    throw Error(Code::kUnavailable, what + " is missing", kInstallAgain);
  const std::string closed = closed_directory(file.string());
  if (reason == EACCES && !closed.empty()) {
    throw Error(Code::kDenied,
                what + " cannot be used: permission denied for the directory " + closed,
                chmod_command("a+x", closed));
  }
  throw Error(reason == EACCES ? Code::kDenied : Code::kUnavailable,
              what + " cannot be inspected: " + std::strerror(reason));
}

constexpr const char* kIfTrusted = "if you trust its content: ";

/// The users and groups that may change a library, and so the files that were installed with it.
class Installers {
 public:
  explicit Installers(const fs::path& library) : library_(library) {
    const struct stat file = status_of(library, "the plug-in library " + library.string());
    owner_ = file.st_uid;
    add_group(file);
    struct stat directory {};
    if (::stat(library.parent_path().c_str(), &directory) == 0) add_group(directory);
  }

  /// Throws if another user may change the file, which `what` names and `status` describes.
  void require_only(const std::string& what, const fs::path& file,
                    const struct stat& status) const {
    const uid_t owner = status.st_uid;
    if (owner != 0 && owner != ::geteuid() && owner != owner_) {
      refuse(what + " is owned by uid " + std::to_string(owner) +
                 ", who does not own the plug-in " + library_.string(),
             std::string(kIfTrusted) + "chown --reference=" + shell_quoted(library_.string()) +
                 " " + shell_quoted(file.string()));
    }
    if ((status.st_mode & S_IWOTH) != 0)
      refuse(what + " is world-writable", kIfTrusted + chmod_command("o-w", file.string()));
    const bool is_group_trusted =
        std::find(groups_.begin(), groups_.end(), status.st_gid) != groups_.end();
    if ((status.st_mode & S_IWGRP) != 0 && !is_group_trusted) {
      refuse(what + " is writable by the group " + std::to_string(status.st_gid),
             kIfTrusted + chmod_command("g-w", file.string()));
    }
  }

 private:
  [[noreturn]] static void refuse(const std::string& what, const std::string& hint) {
    throw Error(Code::kDenied, what, hint);
  }

  void add_group(const struct stat& status) {
    if ((status.st_mode & S_IWGRP) != 0) groups_.push_back(status.st_gid);
  }

  const fs::path library_;
  uid_t owner_ = 0;
  std::vector<gid_t> groups_;
};

/// Throws if the caller cannot use `file` for `use`.
void require_access(const std::string& what, const fs::path& file, const struct stat& status,
                    Use use) {
  const bool is_directory = S_ISDIR(status.st_mode);
  if (is_directory != (use == Use::kList)) {
    throw Error(Code::kUnavailable, what + (is_directory ? " is a directory" : " is no directory"),
                kInstallAgain);
  }
  const int wanted = use == Use::kRun ? X_OK : use == Use::kRead ? R_OK : R_OK | X_OK;
  if (::access(file.c_str(), wanted) == 0) return;
  const char* const verb = use == Use::kRun ? "run" : "read";
  const std::string why = what + " cannot be " + verb + ": " + std::strerror(errno);
  // A file that every user may run can be on a file system that is mounted with noexec.
  constexpr mode_t kAllRun = S_IXUSR | S_IXGRP | S_IXOTH;
  if (use == Use::kRun && (status.st_mode & kAllRun) == kAllRun)
    throw Error(Code::kDenied, why, "the file system must not be mounted with noexec");
  const char* const mode = use == Use::kRun ? "x" : use == Use::kRead ? "r" : "rx";
  throw Error(Code::kDenied, why, chmod_command(std::string("a+") + mode, file.string()));
}

/// Checks one file or directory.
void check(const fs::path& file, const Installers& installers, const char* noun, Use use) {
  const std::string what = std::string("the ") + noun + " " + file.string();
  const struct stat status = status_of(file, what);
  require_access(what, file, status, use);
  installers.require_only(what, file, status);
}

}  // namespace

fs::path prefix_of_library(const fs::path& library) {
  return library.parent_path().parent_path().parent_path();
}

void check_installed_program(const std::string& program, const std::string& library) {
  const Installers installers(library);
  check(program, installers, "program", Use::kRun);
  const fs::path directory = fs::path(program).parent_path();
  const std::string what = "the directory " + directory.string();
  installers.require_only(what, directory, status_of(directory, what));
}

void check_installed_script(const std::string& script, const std::string& library) {
  const Installers installers(library);
  check(script, installers, "file", Use::kRead);
  const std::string directory = fs::path(script).parent_path().string();
  check(directory, installers, "directory", Use::kList);
  std::error_code error;
  // Python also imports from linked directories.
  fs::recursive_directory_iterator each(directory, fs::directory_options::follow_directory_symlink,
                                        error);
  // Checks a directory before the iterator enters it.
  for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
    const bool is_directory = each->is_directory(error) && !error;
    check(each->path(), installers, is_directory ? "directory" : "file",
          is_directory ? Use::kList : Use::kRead);
  }
  if (error) {
    throw Error(Code::kUnavailable,
                "the directory " + directory + " cannot be read: " + error.message(),
                kInstallAgain);
  }
}

}  // namespace slipway
