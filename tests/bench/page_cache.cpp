#include "tests/bench/page_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::bench {
namespace {

constexpr std::size_t kPiece = std::size_t{128} * 1024;

void reread_file(const std::string& path) {
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return;
  // Pages that are not yet on the disk could not be dropped.
  ::fdatasync(file.get());
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  std::vector<char> piece(kPiece);
  while (::read(file.get(), piece.data(), piece.size()) > 0) {
  }
}

}  // namespace

void reread_from_disk(const SubjectTree& tree) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(tree.slipway()).parent_path().parent_path();
  reread_file(tree.slipway());
  for (const fs::path& folder :
       {root / "lib" / "slipway", root / "libexec" / "slipway", root / "share" / "slipway",
        fs::path(tree.helper("")).parent_path()}) {
    std::error_code none;
    for (fs::recursive_directory_iterator entry(folder, none), end; entry != end;
         entry.increment(none)) {
      if (entry->is_regular_file(none)) reread_file(entry->path().string());
    }
  }
}

}  // namespace slipway::bench
