// libarchive as an iterator over the entries of one file.
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
  std::string name;  ///< as the archive has it, UTF-8 where the archive says what it is
  EntryKind kind = EntryKind::kOther;
  std::string target;       ///< of a link
  bool executable = false;  ///< for anybody
  std::uint64_t size = 0;   ///< as the entry claims; 0 where it does not
  std::optional<timespec> modified;
  std::string what;  ///< of kOther: "a character device"
};

struct Block {
  const char* data = nullptr;  ///< valid until the next call
  std::size_t size = 0;
  std::int64_t offset = 0;  ///< in the file: what lies before and was not given is zeros
};

/// tar (plain, gzip, bzip2, xz, zstd) and zip, recognised by their content. Not thread safe. Everything throws Error
/// kInvalid, with libarchive's reason, for what is no such archive, is damaged or ends too early.
class ArchiveReader {
 public:
  /// `fd` is borrowed, at its start, and can seek.
  explicit ArchiveReader(int fd);
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;
  ~ArchiveReader();

  /// The next entry; nullopt at the end.
  std::optional<Entry> next();
  /// The next block of the entry's data; nullopt at its end.
  std::optional<Block> data();

 private:
  struct Locale;
  struct Free {
    void operator()(archive* a) const;
  };
  [[noreturn]] void fail(const char* what) const;

  std::unique_ptr<Locale> locale_;
  std::unique_ptr<archive, Free> archive_;
  archive_entry* entry_ = nullptr;  // the archive's
};

}  // namespace slipway::archive_image
