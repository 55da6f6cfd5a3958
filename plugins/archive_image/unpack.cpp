#include "plugins/archive_image/unpack.hpp"

#include <limits.h>
#include <unistd.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/archive_image/archive_reader.hpp"
#include "plugins/archive_image/entry_path.hpp"
#include "plugins/archive_image/system_error.hpp"
#include "plugins/archive_image/tree_writer.hpp"

namespace slipway::archive_image {

namespace {

constexpr int kMaxLinks = 40;  // the kernel's own limit
constexpr const char* kOutsideLinkHint =
    "config.outside_links = true under [plugins.\"org.slipway.archive_image\"] in the "
    "configuration allows such links";

// Puts the parts of a path before the parts that remain to be resolved.
void prepend(std::deque<std::string>& remaining, std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  remaining.insert(remaining.begin(), parts.begin(), parts.end());
}

// Throws unless the link leads to a place inside the directory `root_fd`. Follows links on the way
// as the kernel does. The place need not exist.
void check_link(int root_fd, const std::string& link) {
  std::deque<std::string> remaining;
  std::vector<std::string> resolved;  // contains no links
  prepend(remaining, link);
  for (int links = 0; !remaining.empty();) {
    const std::string part = std::move(remaining.front());
    remaining.pop_front();
    if (part == "..") {
      if (resolved.empty())
        throw Error(Code::kInvalid,
                    "entry \"" + printable_name(link) + "\" is a link out of the image",
                    kOutsideLinkHint);
      resolved.pop_back();
      continue;
    }
    resolved.push_back(part);
    char target[PATH_MAX];
    const ssize_t n = ::readlinkat(root_fd, entry_path(resolved).c_str(), target, sizeof target);
    if (n < 0) continue;  // not a link, or does not exist
    const std::string_view text(target, static_cast<std::size_t>(n));
    if (text.substr(0, 1) == "/") {
      throw Error(Code::kInvalid,
                  "entry \"" + printable_name(link) + "\" is a link out of the image, to \"" +
                      printable_name(text) + "\"",
                  kOutsideLinkHint);
    }
    if (++links > kMaxLinks)
      throw Error(Code::kInvalid,
                  "entry \"" + printable_name(link) + "\" is a link that goes in circles");
    resolved.pop_back();
    prepend(remaining, text);
  }
}

class Unpacking {
 public:
  Unpacking(int archive_fd, std::uint64_t archive_bytes, int root_fd, const Limits& limits,
            const Call& call)
      : reader_(archive_fd),
        archive_bytes_(archive_bytes),
        root_fd_(root_fd),
        tree_(root_fd),
        limits_(limits),
        call_(call) {}

  void run() {
    while (const auto entry = reader_.next()) {
      call_.check();
      ++entries_;
      add(*entry);
      check_count();
    }
    if (!limits_.outside_links) {
      for (const std::string& link : links_) check_link(root_fd_, link);
    }
    tree_.seal();
  }

 private:
  void add(const Entry& entry) {
    const Parts parts = entry_parts(entry.name, limits_.max_path_bytes);
    if (parts.empty()) {
      if (entry.kind == EntryKind::kDirectory) return;  // "./"
      throw Error(Code::kInvalid, "entry \"" + printable_name(entry.name) + "\" has no name");
    }
    switch (entry.kind) {
      case EntryKind::kDirectory: return tree_.directory(parts);
      case EntryKind::kFile: return file(parts, entry);
      case EntryKind::kSymbolicLink:
        tree_.symbolic_link(parts, entry.target);
        links_.push_back(entry_path(parts));
        return;
      case EntryKind::kHardLink: return hard_link(parts, entry);
      case EntryKind::kOther: break;
    }
    throw Error(Code::kInvalid, "entry \"" + printable_name(entry.name) + "\" is " + entry.what,
                "an image may contain files, directories and links");
  }

  void hard_link(const Parts& parts, const Entry& entry) {
    const Parts target =
        entry_parts(entry.target, limits_.max_path_bytes,
                    "entry \"" + printable_name(entry.name) + "\" is a link; its target");
    if (target.empty())
      throw Error(Code::kInvalid,
                  "entry \"" + printable_name(entry.name) + "\" is a link to nothing");
    tree_.hard_link(parts, target);
  }

  void file(const Parts& parts, const Entry& entry) {
    check_bytes(entry.size);  // refuses too large a declared size before writing the first byte
    const OwnedFd out = tree_.file(parts);
    std::uint64_t end = 0;
    while (const auto block = reader_.data()) {
      call_.check();
      if (block->size == 0) continue;
      const auto offset = static_cast<std::uint64_t>(block->offset);
      if (block->offset < 0 || offset < end) refuse_damaged(parts);
      check_bytes(offset);  // so that the next sum cannot overflow
      check_bytes(offset + block->size);
      write_at(out, *block, parts);
      end = offset + block->size;
    }
    // A sparse file may end in a hole.
    if (entry.size > end) {
      end = entry.size;
      if (::ftruncate(out.get(), static_cast<off_t>(end)) != 0)
        throw system_error("write " + printable_name(entry_path(parts)));
    }
    bytes_ += end;
    TreeWriter::finish_file(out, entry.executable, entry.modified);
  }

  static void write_at(const OwnedFd& out, const Block& block, const Parts& parts) {
    for (std::size_t done = 0; done < block.size;) {
      const ssize_t n = ::pwrite(out.get(), block.data + done, block.size - done,
                                 block.offset + static_cast<off_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw system_error("write " + printable_name(entry_path(parts)));
      done += static_cast<std::size_t>(n);
    }
  }

  [[noreturn]] static void refuse_damaged(const Parts& parts) {
    throw Error(Code::kInvalid, "entry \"" + printable_name(entry_path(parts)) + "\" is damaged");
  }

  // Throws if `more` bytes in addition to the finished files exceed a limit.
  void check_bytes(std::uint64_t more) const {
    // This order of operations cannot overflow.
    if (more > limits_.max_unpacked_bytes || bytes_ > limits_.max_unpacked_bytes - more) {
      throw Error(Code::kInvalid,
                  "it unpacks to more than " + std::to_string(limits_.max_unpacked_bytes >> 20) +
                      " MiB (max_unpacked_mib)",
                  kLimitHint);
    }
    const std::uint64_t all = bytes_ + more;
    if (all > Limits::kFreeBytes && all / limits_.max_ratio > archive_bytes_) {
      throw Error(Code::kInvalid,
                  "it unpacks to more than " + std::to_string(limits_.max_ratio) +
                      " times its size (max_ratio)",
                  kLimitHint);
    }
  }

  void check_count() const {
    if (entries_ <= limits_.max_entries && tree_.directory_count() <= limits_.max_entries) return;
    throw Error(Code::kInvalid,
                "it contains more than " + std::to_string(limits_.max_entries) +
                    " entries or directories (max_entries)",
                kLimitHint);
  }

  ArchiveReader reader_;
  std::uint64_t archive_bytes_;
  int root_fd_;
  TreeWriter tree_;
  const Limits& limits_;
  const Call& call_;
  std::vector<std::string> links_;
  std::uint64_t entries_ = 0;
  std::uint64_t bytes_ = 0;  // total size of the finished files
};

}  // namespace

void unpack(int archive_fd, std::uint64_t archive_bytes, int root_fd, const Limits& limits,
            const Call& call) {
  Unpacking(archive_fd, archive_bytes, root_fd, limits, call).run();
}

}  // namespace slipway::archive_image
