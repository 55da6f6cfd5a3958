#include "plugins/local/engine/header_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_head.hpp"

namespace slipway::local {
namespace {

/// Size of the first read, in bytes. It covers all bytes before the entries of most apps.
constexpr std::size_t kFirstRead = 4096;

std::uint64_t end_of(StringRef ref) { return std::uint64_t{ref.offset} + ref.length; }

}  // namespace

HeaderReader::HeaderReader(int dir_fd, HeaderPart part, const std::string& path)
    : file_(open_below(dir_fd, path, O_RDONLY | O_NONBLOCK)) {
  struct stat info {};
  if (!file_ || ::fstat(file_.get(), &info) != 0) {
    problem_ = std::string("state.bin: ") + std::strerror(errno);
    // A missing file, or a link in its place, is damage of the record.
    error_ = errno == ENOENT || errno == ELOOP ? 0 : errno;
    return;
  }
  const auto size = static_cast<std::uint64_t>(S_ISREG(info.st_mode) ? info.st_size : 0);
  read_header(size);
  // The supervisor may have changed the header during the read.
  for (int left = kMostReads; left > 1 && problem_ == kHeaderDamage; --left) read_header(size);
  if (!problem_.empty()) return;
  fixed_ = at<StateFixed>(0);
  // The ports are behind these texts, and needed only with the roles.
  const std::uint64_t names_end = std::max({end_of(fixed_.app_name), end_of(fixed_.scheduler),
                                            end_of(fixed_.log_dir), end_of(fixed_.host)});
  const bool with_roles = part == HeaderPart::kWithRoles;
  if (!read_to(with_roles ? fixed_.entries_offset : names_end) || !with_roles) return;
  problem_ = check_state_head(bytes_, size);
}

void HeaderReader::read_header(std::uint64_t size) {
  bytes_.clear();
  problem_.clear();
  if (!read_to(std::min<std::uint64_t>(size, kFirstRead))) return;
  problem_ = check_state_head(bytes_, size);
  if (problem_.empty() && !is_whole_header(bytes_.data())) problem_ = kHeaderDamage;
}

/// Reads up to `end` in ascending order, which the order of the fields requires (state_layout.hpp).
bool HeaderReader::read_to(std::uint64_t end) {
  std::size_t done = bytes_.size();
  if (end <= done) return true;
  bytes_.resize(static_cast<std::size_t>(end));
  while (done < bytes_.size()) {
    const ssize_t n =
        ::pread(file_.get(), bytes_.data() + done, bytes_.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      error_ = n < 0 ? errno : 0;
      problem_ =
          n == 0 ? "state.bin is too short" : std::string("state.bin: ") + std::strerror(error_);
      return false;
    }
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace slipway::local
