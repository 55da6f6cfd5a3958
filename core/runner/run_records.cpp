#include "core/runner/run_records.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "core/registry/libraries/checksum.hpp"
#include "core/runner/run_record_json.hpp"
#include "core/spec/document_text.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/ownership.hpp"
#include "sdk/support/system_error.hpp"
#include "slipway/error.hpp"
#include "slipway/ids.hpp"
#include "slipway/lines.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {

namespace {

namespace fs = std::filesystem;

constexpr const char* kChecksums = ".libraries";  // the file with the checksums of libraries
constexpr const char* kVisited = ".visited";      // an empty file, as old as the last visit_old()
constexpr const char* kDraft = ".new";            // names of drafts begin with it
constexpr std::chrono::hours kOneDay{24};

/// Writes a draft, which only its owner can read, and renames it to `root`/`subdirectory`/`name`.
/// Makes missing directories. Throws Error kCantCreate, also if another user may write to one of
/// the directories.
void write_file(const std::string& root, const std::string& subdirectory, const std::string& name,
                const std::string& text) {
  const OwnedFd directory =
      DirectoryMaker("state directory", kStateHint).open_own_levels(root, subdirectory);
  // Not the number of the process: a process on another machine or in another PID namespace may
  // have the same one.
  const std::string draft = make_unique_id(kDraft);
  const OwnedFd file(::openat(directory.get(), draft.c_str(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file && write_all(file.get(), text) &&
      ::renameat(directory.get(), draft.c_str(), directory.get(), name.c_str()) == 0)
    return;
  const int error = errno;
  if (file) ::unlinkat(directory.get(), draft.c_str(), 0);
  throw system_error(Code::kCantCreate, "cannot write",
                     directory_path(directory.get()) + '/' + name, error);
}

/// Returns whether `path` is a regular file of this user.
bool is_own_file(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
         found.st_uid == ::geteuid();
}

bool is_older_than_a_day(const fs::path& path) {
  std::error_code error;
  const auto changed = fs::last_write_time(path, error);
  return !error && fs::file_time_type::clock::now() - changed > kOneDay;
}

/// Removes the drafts in a directory that are older than a day: their processes have died.
void remove_old_drafts(const std::string& directory) {
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    std::error_code ignored;  // another command may have removed it
    if (path.filename().string().starts_with(kDraft) && is_own_file(path) &&
        is_older_than_a_day(path))
      fs::remove(path, ignored);
  }
}

/// Returns a text that changes when the content of a library does, without reading the library;
/// empty if the library cannot be inspected.
std::string identity_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return fmt::format("{} {} {} {}.{:09} {}", found.st_dev, found.st_ino, found.st_size,
                     found.st_mtim.tv_sec, found.st_mtim.tv_nsec, path);
}

/// Returns the checksums in the file, by the identity of the library. A missing file, or one of
/// another user, has none.
std::map<std::string, std::string> read_checksums(const std::string& path) {
  std::map<std::string, std::string> out;
  if (!is_own_file(path)) return out;
  const std::string text = spec::read_text_file(path);
  for (const std::string_view line : split_lines(text)) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    out.emplace(trimmed(line.substr(blank + 1), "\n"), line.substr(0, blank));
  }
  return out;
}

void write_checksums(const std::string& root, const std::map<std::string, std::string>& checksums) {
  std::string text;
  for (const auto& [identity, sha256] : checksums) text += sha256 + " " + identity + "\n";
  write_file(root, {}, kChecksums, text);
}

}  // namespace

std::string RunRecords::path_of(const RunRecordName& name) const {
  const auto is_file_name = [](const std::string& text) {
    return !text.empty() && text.front() != '.' && text.find('/') == std::string::npos;
  };
  if (!is_file_name(name.session) || !is_file_name(name.app_id)) return {};
  return directory_ + "/" + name.session + "/" + name.app_id;
}

void RunRecords::write(const RunRecordName& name, const RunRecord& record) const {
  if (path_of(name).empty()) return;
  write_file(root_, scheduler_ + '/' + name.session, name.app_id, stored_run_record(record));
}

std::optional<RunRecord> RunRecords::read(const RunRecordName& name) const {
  const std::string path = path_of(name);
  if (path.empty() || !is_own_file(path)) return std::nullopt;
  try {
    return parse_run_record(spec::read_text_file(path));
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound) return std::nullopt;  // another command deleted it
    throw Error(error.code(), error.message(), error.hint(), path);
  }
}

void RunRecords::remove(const RunRecordName& name) const {
  const std::string path = path_of(name);
  std::error_code ignored;
  if (!path.empty() && is_own_file(path)) fs::remove(path, ignored);
}

bool RunRecords::any_uses(const std::string& image) const {
  std::error_code error;
  for (fs::recursive_directory_iterator at(root_, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename().string().front() == '.' || !is_own_file(at->path())) continue;
    try {
      const RunRecord record = parse_run_record(spec::read_text_file(at->path()));
      if (!record.workspace) continue;
      const StrList& others = record.workspace->other_images;
      if (record.workspace->image == image ||
          std::find(others.begin(), others.end(), image) != others.end())
        return true;
    } catch (const Error& unreadable) {
      // With kNotFound, another command has just deleted the record. A damaged record may have
      // named the copy.
      if (unreadable.code() != Code::kNotFound) return true;
    }
  }
  return static_cast<bool>(error);
}

void RunRecords::visit_old(const std::function<void(const RunRecordName& name)>& visit) const {
  const fs::path marker = directory_ + '/' + kVisited;
  std::error_code error;
  if (fs::exists(marker, error) && !is_older_than_a_day(marker)) return;
  write_file(root_, scheduler_, kVisited, {});
  remove_old_drafts(root_);
  remove_old_drafts(directory_);
  std::vector<RunRecordName> old;
  for (fs::directory_iterator session(directory_, error), end; !error && session != end;
       session.increment(error)) {
    if (!session->is_directory(error)) continue;
    remove_old_drafts(session->path());
    for (fs::directory_iterator app(session->path(), error); !error && app != end;
         app.increment(error)) {
      if (is_own_file(app->path()) && is_older_than_a_day(app->path()))
        old.push_back({session->path().filename().string(), app->path().filename().string()});
    }
    error.clear();
  }
  for (const RunRecordName& name : old) visit(name);
}

std::vector<RecordedPlugin> RunRecords::loaded_plugins(registry::Registry& registry) const {
  const std::string path = root_ + '/' + kChecksums;
  std::map<std::string, std::string> known = read_checksums(path);
  bool has_new = false;
  std::vector<RecordedPlugin> out;
  for (const auto& library : registry.loaded()) {
    RecordedPlugin& plugin = out.emplace_back();
    plugin.id = library->id();
    plugin.version = library->version();
    const std::string identity = identity_of(library->path());
    if (identity.empty()) continue;
    const auto found = known.find(identity);
    if (found != known.end()) {
      plugin.sha256 = found->second;
      continue;
    }
    // The library is new or has changed.
    std::erase_if(known,
                  [&](const auto& old) { return old.first.ends_with(" " + library->path()); });
    plugin.sha256 = registry::sha256_of_file(library->path());
    known.emplace(identity, plugin.sha256);
    has_new = true;
  }
  if (has_new) write_checksums(root_, known);
  return out;
}

}  // namespace slipway
