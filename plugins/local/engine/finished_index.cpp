#include "plugins/local/engine/finished_index.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/checksum.hpp"

namespace slipway::local {
namespace {

constexpr char kMagic[8] = {'S', 'L', 'W', 'F', 'I', 'N', 'I', 'S'};
constexpr std::uint32_t kVersion = 2;

/// All versions have the same head, so that a reader can distinguish another version from damage.
struct IndexHead {
  char magic[8];
  std::uint32_t version;
  std::uint32_t crc;  // of the whole file, with crc = 0
  std::uint64_t file_bytes;
  std::uint32_t count;
  std::uint32_t reserved;
};

struct IndexEntry {
  std::uint64_t inode;
  std::int64_t submitted_ns;
  std::int64_t started_ns;
  std::int64_t finished_ns;
  std::uint32_t state;
  std::uint32_t session_length;
  std::uint32_t app_id_length;
  std::uint32_t name_length;
  std::uint32_t scheduler_length;
  std::uint32_t reserved;
  std::int64_t order;
  std::uint64_t machine_tag;
};

static_assert(sizeof(IndexHead) == 32 && sizeof(IndexEntry) == 72);  // no padding

/// Copies, because entries have any length and so need not be aligned.
template <typename T>
T read_at(std::string_view bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint32_t checksum(IndexHead head, std::string_view entries) {
  head.crc = 0;
  char bytes[sizeof head];
  std::memcpy(bytes, &head, sizeof head);
  return crc32(entries, crc32(std::string_view(bytes, sizeof bytes)));
}

std::uint64_t strings_length(const IndexEntry& entry) {
  return std::uint64_t{entry.session_length} + entry.app_id_length + entry.name_length +
         entry.scheduler_length;
}

bool is_terminal_value(std::uint32_t state) {
  return state <= static_cast<std::uint32_t>(AppState::kUnknown) &&
         is_terminal(static_cast<AppState>(state));
}

std::uint32_t length_of(std::string_view text) { return static_cast<std::uint32_t>(text.size()); }

// is_safe_name() refuses both names, so neither can be a session.
constexpr char kFileName[] = ".finished";
constexpr char kDraftName[] = ".finished.new";
constexpr std::size_t kMaxBytes = 64U << 20U;  // enough for half a million apps

/// Returns the draft, emptied and locked until it is closed. Empty if it cannot be opened or
/// another writer holds it. All writers use one name, so killed writers leave at most one file.
OwnedFd open_draft(int root_fd) {
  OwnedFd fd(::openat(root_fd, kDraftName, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                      0600));
  struct stat opened {};
  struct stat named {};
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 || ::fstat(fd.get(), &opened) != 0 ||
      ::fstatat(root_fd, kDraftName, &named, AT_SYMLINK_NOFOLLOW) != 0) {
    return OwnedFd();
  }
  // The previous writer may have renamed this file before this process took the lock.
  if (!is_same_file(opened, named) || !S_ISREG(opened.st_mode) || ::ftruncate(fd.get(), 0) != 0)
    return OwnedFd();
  return fd;
}

}  // namespace

FinishedIndex::FinishedIndex(std::string bytes) {
  if (bytes.size() < sizeof(IndexHead)) return;
  const auto head = read_at<IndexHead>(bytes, 0);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.file_bytes != bytes.size() ||
      head.crc != checksum(head, std::string_view(bytes).substr(sizeof head))) {
    return;
  }
  is_newer_ = head.version > kVersion;
  if (head.version != kVersion) return;
  bytes_ = std::move(bytes);
  if (!read_entries(sizeof head, head.count)) entries_.clear();
}

bool FinishedIndex::read_entries(std::size_t offset, std::uint32_t count) {
  // An attacker can compute the checksum, so no count or length is trusted.
  entries_.reserve(std::min<std::size_t>(count, bytes_.size() / sizeof(IndexEntry)));
  for (std::uint32_t i = 0; i < count; ++i) {
    if (bytes_.size() - offset < sizeof(IndexEntry)) return false;
    const auto entry = read_at<IndexEntry>(bytes_, offset);
    const std::uint64_t strings = strings_length(entry);
    if (strings > bytes_.size() - offset - sizeof entry || !is_terminal_value(entry.state))
      return false;
    entries_.emplace(entry.inode, offset);
    offset += sizeof entry + static_cast<std::size_t>(strings);
  }
  return offset == bytes_.size();
}

std::optional<ListedApp> FinishedIndex::find(std::string_view session, std::string_view app_id,
                                             std::uint64_t inode) const {
  const auto found = entries_.find(inode);
  if (found == entries_.end()) return std::nullopt;
  const auto entry = read_at<IndexEntry>(bytes_, found->second);
  const char* text = bytes_.data() + found->second + sizeof entry;
  const auto next = [&text](std::uint32_t length) {
    const std::string_view out(text, length);
    text += length;
    return out;
  };
  ListedApp app;
  app.session = next(entry.session_length);
  app.app_id = next(entry.app_id_length);
  if (app.session != session || app.app_id != app_id) return std::nullopt;
  app.name = next(entry.name_length);
  app.scheduler = next(entry.scheduler_length);
  app.state = static_cast<AppState>(entry.state);
  app.submitted_ns = entry.submitted_ns;
  app.started_ns = entry.started_ns;
  app.finished_ns = entry.finished_ns;
  app.inode = inode;
  app.order = entry.order;
  app.machine_tag = entry.machine_tag;
  return app;
}

std::string finished_index_bytes(const std::vector<ListedApp>& apps) {
  IndexHead head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.version = kVersion;
  std::string bytes(sizeof head, '\0');
  for (const ListedApp& app : apps) {
    if (!is_terminal(app.state)) continue;
    append(bytes, IndexEntry{app.inode, app.submitted_ns, app.started_ns, app.finished_ns,
                             static_cast<std::uint32_t>(app.state), length_of(app.session),
                             length_of(app.app_id), length_of(app.name), length_of(app.scheduler),
                             0, app.order, app.machine_tag});
    for (const std::string_view text : {app.session, app.app_id, app.name, app.scheduler})
      bytes += text;
    ++head.count;
  }
  head.file_bytes = bytes.size();
  head.crc = checksum(head, std::string_view(bytes).substr(sizeof head));
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

FinishedIndex read_finished(int root_fd) {
  std::string bytes;
  if (!read_file(root_fd, kFileName, kMaxBytes, bytes)) return FinishedIndex();
  return FinishedIndex(std::move(bytes));
}

void write_finished(int root_fd, const std::vector<ListedApp>& apps) {
  const OwnedFd draft = open_draft(root_fd);
  if (!draft) return;
  const std::string bytes = finished_index_bytes(apps);
  // Not synced: after a crash of the machine the checksum is wrong, and readers ignore the index.
  const bool done = bytes.size() <= kMaxBytes && write_all(draft.get(), bytes) &&
                    ::renameat(root_fd, kDraftName, root_fd, kFileName) == 0;
  // This writer still holds the lock, so no other one uses the draft.
  if (!done) ::unlinkat(root_fd, kDraftName, 0);
}

}  // namespace slipway::local
