#include "plugins/archive_image/archive_reader.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <unistd.h>

#include "slipway/error.hpp"

namespace slipway::archive_image {

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 17;  // of one read()

// Returns a name in the locale's character set, or in UTF-8 if libarchive cannot convert it.
std::string text_of(const char* in_locale, const char* utf8) {
  if (in_locale != nullptr) return in_locale;
  return utf8 != nullptr ? utf8 : "";
}

EntryKind kind_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr) return EntryKind::kHardLink;
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG: return EntryKind::kFile;
    case AE_IFDIR: return EntryKind::kDirectory;
    case AE_IFLNK: return EntryKind::kSymbolicLink;
    default: return EntryKind::kOther;
  }
}

// Returns Entry::what.
const char* special_kind(archive_entry* entry) {
  switch (archive_entry_filetype(entry)) {
    case AE_IFCHR: return "a character device";
    case AE_IFBLK: return "a block device";
    case AE_IFIFO: return "a named pipe";
    case AE_IFSOCK: return "a socket";
    default: return "of an unknown type";
  }
}

}  // namespace

// Sets this thread's locale to UTF-8 and restores it. libarchive converts names to the locale's
// character set, and the host's locale "C" has only ASCII.
struct ArchiveReader::Locale {
  Locale() : utf8(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8 != nullptr) previous = ::uselocale(utf8);
  }
  ~Locale() {
    if (utf8 == nullptr) return;
    ::uselocale(previous);
    ::freelocale(utf8);
  }
  Locale(const Locale&) = delete;
  Locale& operator=(const Locale&) = delete;

  locale_t utf8;
  locale_t previous = nullptr;
};

void ArchiveReader::Free::operator()(archive* a) const { archive_read_free(a); }

ArchiveReader::ArchiveReader(int fd)
    : locale_(std::make_unique<Locale>()), archive_(archive_read_new()) {
  if (!archive_) throw Error(Code::kInternal, "out of memory");
  archive* const a = archive_.get();
  // Enables only these formats, because every other format adds code that hostile input can reach,
  // and further libraries.
  archive_read_support_format_tar(a);
  // Not the streaming reader, which accepts an archive that lacks the directory at its end.
  archive_read_support_format_zip_seekable(a);
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_zstd(a);
  if (::lseek(fd, 0, SEEK_SET) != 0 || archive_read_open_fd(a, fd, kReadBytes) != ARCHIVE_OK)
    fail("it cannot be read");
}

ArchiveReader::~ArchiveReader() = default;

void ArchiveReader::fail(const char* what) const {
  const char* reason = archive_error_string(archive_.get());
  throw Error(Code::kInvalid,
              std::string(what) + ": " + (reason != nullptr ? reason : "unknown reason"),
              "images are tar archives, plain or compressed with gzip, bzip2, xz or zstd, and zip "
              "archives");
}

std::optional<Entry> ArchiveReader::next() {
  // Accepts warnings: they concern owners and attributes, which are not used, or names, which
  // unpack() checks itself.
  const int result = archive_read_next_header(archive_.get(), &entry_);
  if (result == ARCHIVE_EOF) return std::nullopt;
  if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
    fail("it is not an archive, or it is damaged");
  Entry out;
  out.name = text_of(archive_entry_pathname(entry_), archive_entry_pathname_utf8(entry_));
  out.kind = kind_of(entry_);
  if (out.kind == EntryKind::kHardLink)
    out.target = text_of(archive_entry_hardlink(entry_), archive_entry_hardlink_utf8(entry_));
  if (out.kind == EntryKind::kSymbolicLink)
    out.target = text_of(archive_entry_symlink(entry_), archive_entry_symlink_utf8(entry_));
  if (out.kind == EntryKind::kOther) out.what = special_kind(entry_);
  out.executable = (archive_entry_perm(entry_) & 0111) != 0;
  if (archive_entry_size_is_set(entry_) != 0 && archive_entry_size(entry_) > 0)
    out.size = static_cast<std::uint64_t>(archive_entry_size(entry_));
  if (archive_entry_mtime_is_set(entry_) != 0)
    out.modified = timespec{archive_entry_mtime(entry_), archive_entry_mtime_nsec(entry_)};
  return out;
}

std::optional<Block> ArchiveReader::data() {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int result = archive_read_data_block(archive_.get(), &data, &size, &offset);
  if (result == ARCHIVE_EOF) return std::nullopt;
  // Here a warning is about the content.
  if (result != ARCHIVE_OK) fail("its content cannot be read");
  return Block{static_cast<const char*>(data), size, offset};
}

}  // namespace slipway::archive_image
