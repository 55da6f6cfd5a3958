// Iterates over the entries of an archive with libarchive.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>

struct archive;
struct archive_entry;

namespace slipway::archive_image {

enum class EntryKind { kFile, kDirectory, kSymbolicLink, kHardLink, kOther };

struct Entry {
  /// The name in the archive, converted to UTF-8 if the archive declares its encoding.
  std::string name;
  EntryKind kind = EntryKind::kOther;
  std::string target;       ///< the target of a link
  bool executable = false;  ///< whether any user may execute it
  std::uint64_t size = 0;   ///< the size that the entry declares, or 0
  std::optional<timespec> modified;
  std::string what;  ///< the kind of a kOther entry: "a character device"
};

struct Block {
  const char* data = nullptr;  ///< valid until the next call
  std::size_t size = 0;
  std::int64_t offset = 0;  ///< offset in the file; gaps between blocks are zeros
};

/// Reads tar (plain, gzip, bzip2, xz, zstd) and zip, recognized by their content. Not thread-safe:
/// an object sets the locale of the thread that creates it, and must be used and destroyed there.
/// Every function throws Error(kInvalid), with libarchive's reason, if the file is not such an
/// archive, is damaged or ends too early.
class ArchiveReader {
 public:
  /// Borrows `fd`, which must be seekable, and reads it from its start.
  explicit ArchiveReader(int fd);
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;
  ~ArchiveReader();

  /// Returns the next entry, or nullopt at the end.
  std::optional<Entry> next();
  /// Returns the next block of the entry's data, or nullopt at its end.
  std::optional<Block> data();

 private:
  struct Locale;
  struct Free {
    void operator()(archive* a) const;
  };
  [[noreturn]] void fail(const char* what) const;

  std::unique_ptr<Locale> locale_;  // must outlive archive_
  std::unique_ptr<archive, Free> archive_;
  archive_entry* entry_ = nullptr;  // owned by archive_
};

}  // namespace slipway::archive_image
