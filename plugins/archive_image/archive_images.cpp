#include "plugins/archive_image/archive_images.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>

#include "plugins/archive_image/archive_reader.hpp"
#include "plugins/archive_image/content_digest.hpp"
#include "plugins/archive_image/system_error.hpp"
#include "plugins/archive_image/unpack.hpp"

namespace slipway::archive_image {

namespace {

constexpr std::string_view kScheme = "archive://";
constexpr std::int64_t kDayNs = std::int64_t{24} * 3600 * 1'000'000'000;

std::int64_t realtime_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string size_text(std::uint64_t bytes) {
  const std::uint64_t mib = bytes >> 20;
  return mib > 0 ? std::to_string(mib) + " MiB" : std::to_string(bytes) + " bytes";
}

FileIdentity identity_of(int fd, const std::string& path) {
  struct stat st {};
  if (::fstat(fd, &st) != 0) throw system_error("inspect " + path);
  if (!S_ISREG(st.st_mode)) {
    throw Error(Code::kInvalid, "image \"" + path + "\" is not a file",
                "the image provider archive takes tar and zip archives");
  }
  return FileIdentity::of(st);
}

}  // namespace

ArchiveImages::ArchiveImages(Host host, CreateArgs create_args)
    : ImageProvider(host, create_args),
      settings_(read_settings(create_args.config_json)),
      cache_(default_cache_root()) {}

ArchiveImages::Source ArchiveImages::open(std::string_view image, const Call& call) {
  if (image.substr(0, kScheme.size()) == kScheme) image.remove_prefix(kScheme.size());
  Source source;
  source.path = std::string(image);
  if (image.empty() || image.find('\0') != std::string_view::npos)
    throw Error(Code::kInvalid, "image \"" + source.path + "\" is not the path of an archive");
  // Non-blocking, because opening a named pipe would wait for a writer.
  source.fd = OwnedFd(::open(source.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!source.fd && (errno == ENOENT || errno == ENOTDIR))
    throw Error(Code::kInvalid, "image \"" + source.path + "\" does not exist");
  if (!source.fd) throw system_error("open image \"" + source.path + "\"");
  source.identity = identity_of(source.fd.get(), source.path);
  source.digest = digest_of(source, call);
  return source;
}

std::string ArchiveImages::digest_of(const Source& source, const Call& call) {
  const auto known = known_.find(source.path);
  if (known != known_.end() && known->second.first == source.identity) return known->second.second;
  std::optional<std::string> digest = cache_.digests().find(source.identity);
  if (!digest) {
    host().log(LogLevel::kDebug, "reading " + source.path);
    digest = content_digest(source.fd.get(), call);
    if (!(identity_of(source.fd.get(), source.path) == source.identity)) {
      throw Error(Code::kPrecondition, "image \"" + source.path + "\" changed while it was read",
                  "wait until it is written, or rename a finished file into place");
    }
  }
  known_[source.path] = {source.identity, *digest};
  return *digest;
}

std::string ArchiveImages::resolve(std::string_view image, const Call& call) {
  const Source source = open(image, call);
  if (!cache_.holds(source.digest)) {
    try {
      // Reads one entry, so that a dry run also reports a file that is not an archive.
      ArchiveReader(source.fd.get()).next();
    } catch (const Error& error) {
      throw Error(error.code(), "image \"" + source.path + "\" cannot be used: " + error.message(),
                  error.hint());
    }
  }
  return cache_.image_dir(source.digest);
}

void ArchiveImages::unpack_into(int dir_fd, const Source& source, const Call& call) const {
  host().log(LogLevel::kInfo,
             "unpacking " + source.path + " (" + size_text(source.identity.size) + ")");
  try {
    unpack(source.fd.get(), source.identity.size, dir_fd, settings_.limits, call);
  } catch (const Error& error) {
    if (error.code() == Code::kCancelled) throw;
    throw Error(error.code(),
                "image \"" + source.path + "\" cannot be unpacked: " + error.message(),
                error.hint());
  }
  if (!(identity_of(source.fd.get(), source.path) == source.identity)) {
    throw Error(Code::kPrecondition, "image \"" + source.path + "\" changed while it was unpacked",
                "wait until it is written, or rename a finished file into place");
  }
}

std::string ArchiveImages::fetch(std::string_view image, const Call& call) {
  const Source source = open(image, call);
  OwnedFd lock = cache_.ensure(
      source.digest, [&](int dir_fd) { unpack_into(dir_fd, source, call); },
      [&] { host().log(LogLevel::kInfo, "waiting: another process is unpacking " + source.path); },
      call);
  use_locks_.insert_or_assign(source.digest, std::move(lock));
  cache_.digests().remember(source.identity, source.digest, realtime_ns());
  sweep();
  return cache_.image_dir(source.digest);
}

void ArchiveImages::sweep() {
  try {
    const auto keep_ns = static_cast<std::int64_t>(settings_.keep_days) * kDayNs;
    const int removed = cache_.sweep(realtime_ns() - keep_ns);
    if (removed > 0)
      host().log(LogLevel::kDebug,
                 "removed images that were not used lately: " + std::to_string(removed));
  } catch (const Error& error) {
    // This is not a failure, because the requested image is available.
    host().log(LogLevel::kWarning, "cannot remove old images: " + error.message());
  }
}

std::optional<std::string> ArchiveImages::cwd(std::string_view image, const Call& call) {
  return cache_.image_dir(open(image, call).digest);
}

std::optional<std::string> ArchiveImages::use_lock(std::string_view image, const Call& call) {
  return cache_.lock_file(open(image, call).digest);
}

}  // namespace slipway::archive_image
