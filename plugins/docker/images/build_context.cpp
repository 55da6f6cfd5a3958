#include "plugins/docker/images/build_context.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "sdk/support/workspace/file_failure.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

using workspaces::Entry;
using workspaces::EntryKind;
using workspaces::file_failure;

constexpr std::size_t kPiece = 256 * 1024;  // next() returns at least so many bytes, until the end

// The format ustar: sizes in bytes, and the types of members. Longer names and larger sizes need an
// extension of pax.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameField = 100;
constexpr std::int64_t kLargestOctal = 077777777777;  // 8 GiB less one byte
constexpr char kRegular = '0';
constexpr char kLink = '2';
constexpr char kDirectory = '5';
constexpr char kExtension = 'x';

/// One member of an archive, in the format of POSIX (pax).
struct Member {
  std::string name;
  std::string target = {};  ///< of a symbolic link
  char type = kRegular;
  mode_t mode = 0644;
  std::int64_t size = 0;
  std::int64_t time_s = 0;
};

/// Fills the last block of a member of `size` bytes.
void pad(std::string& out, std::int64_t size) {
  const std::size_t over = static_cast<std::size_t>(size) % kBlock;
  if (over != 0) out.append(kBlock - over, '\0');
}

void put_text(char* field, std::size_t width, std::string_view text) {
  std::memcpy(field, text.data(), std::min(width, text.size()));
}

/// Writes a number in octal digits: zeros in front, a NUL at the end.
void put_octal(char* field, std::size_t width, std::int64_t value) {
  field[--width] = '\0';
  for (; width > 0; value >>= 3) field[--width] = static_cast<char>('0' + (value & 7));
}

/// Appends a block with the member's fields, at the offsets and with the widths of ustar.
void append_header(std::string& out, const Member& member) {
  std::array<char, kBlock> block{};
  char* at = block.data();
  put_text(at, kNameField, member.name);
  put_octal(at + 100, 8, static_cast<std::int64_t>(member.mode & 07777));
  put_octal(at + 108, 8, 0);  // user: root
  put_octal(at + 116, 8, 0);  // group: root
  put_octal(at + 124, 12, std::min(member.size, kLargestOctal));
  put_octal(at + 136, 12, std::clamp<std::int64_t>(member.time_s, 0, kLargestOctal));
  put_text(at + 148, 8, "        ");  // the checksum counts its own field as blanks
  at[156] = member.type;
  put_text(at + 157, kNameField, member.target);
  std::memcpy(at + 257, "ustar\00000", 8);  // "ustar", a NUL, and the version "00"
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put_octal(at + 148, 7, sum);
  out.append(block.data(), block.size());
}

/// Returns a record of a pax extension: its length in bytes, which includes the digits of the
/// length itself, the key and the value.
std::string record(const std::string& key, const std::string& value) {
  const std::size_t rest = key.size() + value.size() + 3;  // ' ', '=' and '\n'
  std::size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length)
    length = std::to_string(length).size() + rest;
  return std::to_string(length) + " " + key + "=" + value + "\n";
}

/// Appends the header of a member, after an extension with the values that do not fit into it.
void append_member(std::string& out, const Member& member) {
  std::string records;
  if (member.name.size() > kNameField) records += record("path", member.name);
  if (member.target.size() > kNameField) records += record("linkpath", member.target);
  if (member.size > kLargestOctal) records += record("size", std::to_string(member.size));
  if (!records.empty()) {
    Member extension{"PaxHeaders/x", {}, kExtension};
    extension.size = static_cast<std::int64_t>(records.size());
    append_header(out, extension);
    out += records;
    pad(out, extension.size);
  }
  append_header(out, member);
}

Error read_error(const std::string& path, int error = errno) {
  return file_failure("read", path, {error, std::generic_category()});
}

Error changed_error(const std::string& path) {
  return {Code::kTemporary, path + " changed while it was read", "try again"};
}

std::string link_target(const std::string& path, std::int64_t size) {
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  const ssize_t length = ::readlink(path.c_str(), out.data(), out.size());
  if (length < 0) throw read_error(path);
  if (length > size) throw changed_error(path);
  out.resize(static_cast<std::size_t>(length));
  return out;
}

}  // namespace

BuildContext::BuildContext(std::string root, std::string prefix, std::vector<Entry> entries)
    : root_(std::move(root)), prefix_(std::move(prefix)), entries_(std::move(entries)) {
  if (prefix_.empty()) return;
  append_member(texts_, {prefix_, {}, kDirectory, 0755});
}

void BuildContext::add_text(const std::string& path, const std::string& text) {
  Member member{path};
  member.size = static_cast<std::int64_t>(text.size());
  append_member(texts_, member);
  texts_ += text;
  pad(texts_, member.size);
}

bool BuildContext::next(std::string& piece) {
  piece += std::exchange(texts_, {});
  while (piece.size() < kPiece) {
    if (file_) {
      append_file_bytes(piece);
    } else if (at_ < entries_.size()) {
      append_entry(entries_[at_++], piece);
    } else {
      piece.append(2 * kBlock, '\0');  // the end of the archive
      return false;
    }
  }
  return true;
}

/// Appends the header of the entry, and opens it if it is a file with content.
void BuildContext::append_entry(const Entry& entry, std::string& piece) {
  const std::string path = root_ + "/" + entry.path;
  struct stat info {};
  if (entry.kind == EntryKind::kFile) {
    // The file may have become a link, a FIFO or a terminal: open() must not follow or wait.
    file_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (!file_ && errno == ELOOP) throw changed_error(path);
    if (!file_ || ::fstat(file_.get(), &info) != 0) throw read_error(path);
  } else if (::lstat(path.c_str(), &info) != 0) {
    throw read_error(path);
  }
  Member member{prefix_ + entry.path};
  member.mode = info.st_mode;
  member.time_s = info.st_mtim.tv_sec;
  switch (entry.kind) {
    case EntryKind::kDirectory:
      member.type = kDirectory;
      member.name += '/';
      if (!S_ISDIR(info.st_mode)) throw changed_error(path);
      break;
    case EntryKind::kLink:
      member.type = kLink;
      if (!S_ISLNK(info.st_mode)) throw changed_error(path);
      member.target = link_target(path, info.st_size);
      break;
    case EntryKind::kFile:
      if (!S_ISREG(info.st_mode)) throw changed_error(path);
      member.size = size_ = left_ = info.st_size;
      break;
  }
  append_member(piece, member);
  if (file_ && left_ == 0) file_.reset();
}

/// Appends the next bytes of the open file, and closes it at its end.
void BuildContext::append_file_bytes(std::string& piece) {
  const std::size_t start = piece.size();
  const std::size_t wanted = std::min(static_cast<std::size_t>(left_), kPiece);
  piece.resize(start + wanted);
  ssize_t count = 0;
  do count = ::read(file_.get(), piece.data() + start, wanted);
  while (count < 0 && errno == EINTR);
  const Entry& entry = entries_[at_ - 1];
  if (count < 0) throw read_error(root_ + "/" + entry.path);
  if (count == 0) throw changed_error(root_ + "/" + entry.path);
  piece.resize(start + static_cast<std::size_t>(count));
  left_ -= count;
  sent_ += count;
  if (left_ > 0) return;
  file_.reset();
  pad(piece, size_);
}

}  // namespace slipway::docker
