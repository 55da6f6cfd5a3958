#include "plugins/slurm/state/job_record.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>

#include "plugins/slurm/state/record_access.hpp"
#include "sdk/support/app_record.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr const char* kFileName = "/job.json";
// The link of an id has this text and the mark as its target.
constexpr std::string_view kUp = "../";
// The link of a deleted app's id has this text and the mark as its target.
constexpr std::string_view kForgotten = "forgotten:";

std::string id_link(const std::string& state_root, const std::string& app_id) {
  return state_root + "/ids/" + app_id;
}

/// Returns whether the text is the name of a file, and not a path that leads out of the directory.
bool is_file_name(std::string_view text) {
  return !text.empty() && text.front() != '.' && text.find('/') == std::string_view::npos;
}

/// Returns whether the text has the form "session/name-suffix". It comes from a job's comment,
/// which may contain any text.
bool is_mark(std::string_view mark) {
  const std::size_t slash = mark.find('/');
  return slash != std::string_view::npos && is_file_name(mark.substr(0, slash)) &&
         is_file_name(mark.substr(slash + 1));
}

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw Error(Code::kCantCreate, "cannot write " + path + ": " + why);
}

/// Creates or replaces the link of an id in one step.
void point_id(const std::string& state_root, const std::string& app_id, const std::string& target) {
  std::error_code error;
  DirectoryMaker("state directory", kStateHint).open_own_levels(state_root, "ids");
  const std::string link = id_link(state_root, app_id);
  const std::string draft = link + ".new";
  fs::remove(draft, error);
  fs::create_symlink(target, draft, error);
  if (!error) fs::rename(draft, link, error);
  if (error) cannot_write(link, error.message());
}

/// Returns the target of an id's link; empty if there is no link.
std::string target_of_id(const std::string& state_root, const std::string& app_id) {
  if (!is_file_name(app_id)) return {};
  std::error_code error;
  const std::string target = fs::read_symlink(id_link(state_root, app_id), error).string();
  return error ? std::string() : target;
}

}  // namespace

std::string script_path(const std::string& record_dir) { return record_dir + "/job.sh"; }

bool is_job_of(const std::string& mark, const std::string& record_dir, const QueueJob& job) {
  const std::string found = mark_in(job.comment);
  return found == mark || (found.empty() && job.command == script_path(record_dir));
}

void write_file(const std::string& path, std::string_view text) {
  std::string draft = path + ".XXXXXX";
  const OwnedFd file(::mkostemp(draft.data(), O_CLOEXEC));
  if (!file) cannot_write(path, std::strerror(errno));
  if (write_all(file.get(), text) && ::rename(draft.c_str(), path.c_str()) == 0) return;
  const int error = errno;
  ::unlink(draft.c_str());
  cannot_write(path, std::strerror(error));
}

std::string last_lines(const std::string& path, std::optional<uid_t> owner) {
  constexpr std::size_t kMostLines = 3;
  constexpr std::size_t kMostBytes = 600;
  constexpr off_t kTail = 4096;  // bytes that are read
  const OwnedFd file = open_regular_file(path, owner);
  if (!file) return {};
  const off_t start = std::max<off_t>(0, ::lseek(file.get(), 0, SEEK_END) - kTail);
  std::string tail(static_cast<std::size_t>(kTail), '\0');
  const ssize_t count = ::pread(file.get(), tail.data(), tail.size(), start);
  tail.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  std::deque<std::string> lines;
  for (const std::string_view line : split_lines(tail)) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    lines.emplace_back(text);
    if (lines.size() > kMostLines) lines.pop_front();
  }
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "; ") + line;
  return out.size() > kMostBytes ? "..." + out.substr(out.size() - kMostBytes) : out;
}

namespace {

void write_contents(const JobRecord& record) {
  const json::object out = {{"app_id", record.app_id},
                            {"mark", record.mark},
                            {"session", record.session},
                            {"shape", static_cast<std::int32_t>(record.shape)},
                            {"submitted_at_ns", record.submitted_at_ns},
                            {"log_dir", record.log_dir},
                            {"clusters", record.clusters},
                            {"app", records::app_to_json(record.app)}};
  write_file(record.record_dir + kFileName, json::serialize(out));
}

/// Returns the id that the app has until the job's id is known.
std::string draft_name(const JobRecord& record) {
  return record.mark.substr(record.mark.find('/') + 1);
}

}  // namespace

void write_draft(const std::string& state_root, const JobRecord& record) {
  write_contents(record);
  point_id(state_root, draft_name(record), std::string(kUp) + record.mark);
}

void write_record(const std::string& state_root, const JobRecord& record, bool keeps_draft_name) {
  write_contents(record);
  point_id(state_root, record.app_id, std::string(kUp) + record.mark);
  if (keeps_draft_name) return;
  std::error_code ignored;
  fs::remove(id_link(state_root, draft_name(record)), ignored);
}

void discard_draft(const std::string& state_root, const JobRecord& record) noexcept {
  std::error_code ignored;
  fs::remove(id_link(state_root, draft_name(record)), ignored);
  fs::remove_all(record.record_dir, ignored);
}

std::vector<KnownApp> known_apps(const std::string& state_root) {
  std::vector<KnownApp> out;
  std::error_code error;
  for (fs::directory_iterator entry(state_root + "/ids", error), end; !error && entry != end;
       entry.increment(error)) {
    KnownApp app;
    app.app_id = entry->path().filename().string();
    app.mark = mark_of_id(state_root, app.app_id);
    if (app.mark.empty()) continue;
    struct stat info {};
    if (::lstat(entry->path().c_str(), &info) == 0)
      app.submitted_at = info.st_mtim.tv_sec * std::int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
    out.push_back(std::move(app));
  }
  return out;
}

void forget_record(const std::string& state_root, const JobRecord& record) {
  if (record.app_id.empty()) return discard_draft(state_root, record);
  point_id(state_root, record.app_id, std::string(kForgotten) + record.mark);
  discard_draft(state_root, record);
}

bool is_forgotten(const std::string& state_root, const std::string& app_id,
                  const std::string& mark) {
  const std::string target = target_of_id(state_root, app_id);
  if (target.compare(0, kForgotten.size(), kForgotten) != 0) return false;
  return mark.empty() || target.compare(kForgotten.size(), std::string::npos, mark) == 0;
}

std::optional<JobRecord> record_of_mark(const std::string& state_root, const std::string& mark) {
  if (!is_mark(mark)) return std::nullopt;
  JobRecord out;
  out.record_dir = state_root + "/" + mark;
  const auto damaged = [&](const std::string& why) {
    return Error(Code::kInvalid, out.record_dir + kFileName + " is damaged: " + why,
                 "remove that directory; status then shows what Slurm itself knows about the job");
  };
  out.other_owner = other_owner(out.record_dir);
  const auto text = file_text(out.record_dir + kFileName, out.other_owner);
  if (!text && errno == EINVAL) throw damaged("it is not a regular file");
  if (!text) return std::nullopt;
  try {
    const json::value value = parse_deep_json(*text);
    const json::object& fields = value.as_object();
    const auto string_of = [&](const char* key) { return std::string(fields.at(key).as_string()); };
    out.app_id = string_of("app_id");
    out.mark = string_of("mark");
    out.session = string_of("session");
    out.shape = static_cast<Shape>(fields.at("shape").to_number<std::int32_t>());
    out.submitted_at_ns = fields.at("submitted_at_ns").to_number<std::int64_t>();
    out.log_dir = string_of("log_dir");
    // Records of earlier versions lack it.
    if (fields.contains("clusters")) out.clusters = string_of("clusters");
    out.app = records::app_from_json(string_of("app"));
  } catch (const std::exception& error) {
    throw damaged(error.what());
  }
  return out;
}

std::string mark_of_id(const std::string& state_root, const std::string& app_id) {
  const std::string target = target_of_id(state_root, app_id);
  if (target.compare(0, kUp.size(), kUp) != 0) return {};
  const std::string mark = target.substr(kUp.size());
  return is_mark(mark) ? mark : std::string();
}

std::optional<JobRecord> record_of_id(const std::string& state_root, const std::string& app_id) {
  return record_of_mark(state_root, mark_of_id(state_root, app_id));
}

}  // namespace slipway::slurm
