#include "plugins/archive_image/tree_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "plugins/archive_image/entry_path.hpp"
#include "plugins/archive_image/system_error.hpp"

namespace slipway::archive_image {

namespace {

constexpr int kDirectoryFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

[[noreturn]] void refuse(const Parts& parts, const std::string& why) {
  throw Error(Code::kInvalid, "entry \"" + printable_name(entry_path(parts)) + "\" " + why);
}

}  // namespace

int TreeWriter::parent_of(const Parts& parts) {
  const Parts wanted(parts.begin(), parts.end() - 1);
  if (wanted.empty()) return root_fd_;
  if (parent_ && wanted == parent_parts_) return parent_.get();
  OwnedFd directory;
  Parts path;
  for (const std::string& part : wanted) {
    const int above = directory ? directory.get() : root_fd_;
    path.push_back(part);
    const bool made = ::mkdirat(above, part.c_str(), 0700) == 0;
    if (!made && errno != EEXIST)
      throw system_error("make the directory " + printable_name(entry_path(path)));
    if (made) directories_.insert(entry_path(path));
    OwnedFd next(::openat(above, part.c_str(), kDirectoryFlags));
    if (!next && (errno == ELOOP || errno == ENOTDIR))
      refuse(parts,
             "lies below \"" + printable_name(entry_path(path)) + "\", which is not a directory");
    if (!next) throw system_error("open the directory " + printable_name(entry_path(path)));
    directory = std::move(next);
  }
  parent_ = std::move(directory);
  parent_parts_ = wanted;
  return parent_.get();
}

void TreeWriter::replace(int parent, const Parts& parts) {
  if (::unlinkat(parent, parts.back().c_str(), 0) == 0 || errno == ENOENT) return;
  if (errno == EISDIR || errno == EPERM) refuse(parts, "would replace a directory of the archive");
  throw system_error("replace " + printable_name(entry_path(parts)));
}

void TreeWriter::directory(const Parts& parts) {
  Parts below = parts;
  below.emplace_back();  // parent_of() creates and opens all but the last part
  parent_of(below);
}

OwnedFd TreeWriter::file(const Parts& parts) {
  const int parent = parent_of(parts);
  replace(parent, parts);
  OwnedFd out(::openat(parent, parts.back().c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!out) throw system_error("make the file " + printable_name(entry_path(parts)));
  return out;
}

void TreeWriter::finish_file(const OwnedFd& file, bool executable,
                             const std::optional<timespec>& modified) {
  if (modified) {
    const timespec times[2] = {*modified, *modified};
    ::futimens(file.get(), times);  // ignores times that the file system cannot store
  }
  if (::fchmod(file.get(), executable ? 0555 : 0444) != 0)
    throw system_error("make a file of the image read-only");
}

void TreeWriter::symbolic_link(const Parts& parts, const std::string& target) {
  if (target.empty()) refuse(parts, "is a link to nothing");
  const int parent = parent_of(parts);
  replace(parent, parts);
  if (::symlinkat(target.c_str(), parent, parts.back().c_str()) != 0)
    throw system_error("make the link " + printable_name(entry_path(parts)));
}

void TreeWriter::hard_link(const Parts& parts, const Parts& target) {
  if (parts == target) refuse(parts, "is a link to itself");
  OwnedFd target_dir;
  for (std::size_t i = 0; i + 1 < target.size(); ++i) {
    target_dir = OwnedFd(
        ::openat(target_dir ? target_dir.get() : root_fd_, target[i].c_str(), kDirectoryFlags));
    if (!target_dir)
      refuse(parts,
             "is a link to \"" + printable_name(entry_path(target)) + "\", which does not exist");
  }
  const int from = target_dir ? target_dir.get() : root_fd_;
  struct stat st {};
  if (::fstatat(from, target.back().c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
    refuse(parts, "is a link to \"" + printable_name(entry_path(target)) +
                      "\", which is not a file of the image");
  const int parent = parent_of(parts);
  replace(parent, parts);
  if (::linkat(from, target.back().c_str(), parent, parts.back().c_str(), 0) != 0)
    throw system_error("make the link " + printable_name(entry_path(parts)));
}

void TreeWriter::seal() {
  parent_ = OwnedFd();
  parent_parts_.clear();
  // Backwards, so that a directory comes after everything below it.
  std::for_each(directories_.rbegin(), directories_.rend(), [&](const std::string& path) {
    if (::fchmodat(root_fd_, path.c_str(), 0555, 0) != 0)
      throw system_error("make the directory " + printable_name(path) + " read-only");
  });
  if (::fchmod(root_fd_, 0555) != 0) throw system_error("make the image read-only");
}

}  // namespace slipway::archive_image
