#include "plugins/local/engine/deleted_apps.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/ownership.hpp"

namespace slipway::local {
namespace {

constexpr const char* kList = ".pruned";
constexpr const char* kOldList = ".pruned.old";
constexpr off_t kFullListBytes = off_t{1} << 20U;  // a new list starts at this size

// The text in place of a rule for an app that `slipway delete` or `slipway prune` deleted.
constexpr std::string_view kOnRequest = "slipway delete";

// One line: app id, end, deletion (seconds since the epoch), rule; separated by tabs.
std::string line_of(const AppRef& app, std::int64_t finished_ns, std::string_view rule) {
  const auto seconds = [](std::int64_t time_ns) { return std::to_string(time_ns / 1'000'000'000); };
  return app.app_id + '\t' + seconds(finished_ns) + '\t' + seconds(realtime_ns()) + '\t' +
         std::string(rule.empty() ? kOnRequest : rule) + '\n';
}

/// Opens the session's directory if it belongs to the caller.
OwnedFd open_session(const std::string& state_root, const std::string& session) {
  if (!is_safe_name(session)) return {};
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  const OwnedFd root(::open(state_root.c_str(), kFlags));
  OwnedFd out = root ? open_below(root.get(), session, kFlags) : OwnedFd();
  struct stat info {};
  if (!out || ::fstat(out.get(), &info) != 0 || !distrust(info).empty()) return {};
  return out;
}

std::string time_text(std::string_view seconds) {
  std::int64_t value = 0;
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), value);
  const std::time_t time = value;
  std::tm parts{};
  std::array<char, 32> out{};
  ::gmtime_r(&time, &parts);
  return {out.data(), std::strftime(out.data(), out.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Returns the fields of the last line about the app; none if the list does not have the app.
std::vector<std::string_view> find_line(std::string_view list, const std::string& app_id) {
  const std::string start = '\n' + app_id + '\t';
  std::size_t at = list.rfind(start);
  if (at != std::string_view::npos) {
    ++at;
  } else if (list.starts_with(std::string_view(start).substr(1))) {
    at = 0;
  } else {
    return {};
  }
  const std::string_view line = list.substr(at, list.find('\n', at) - at);
  std::vector<std::string_view> out;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t end = std::min(line.find('\t', from), line.size());
    out.push_back(line.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

/// Returns whether the list ends within a line, which a full disk has cut short.
bool ends_within_line(int fd) {
  struct stat info {};
  char last = '\n';
  return ::fstat(fd, &info) == 0 && info.st_size > 0 &&
         ::pread(fd, &last, 1, info.st_size - 1) == 1 && last != '\n';
}

}  // namespace

void note_deleted(const AppRef& app, std::int64_t finished_ns, std::string_view rule) {
  const OwnedFd session = open_session(app.state_root, app.session);
  if (!session) return;
  // The list has no lock. If two processes find it full, the second one may replace the old list by
  // a short one, and some deletions lose their reasons.
  struct stat info {};
  if (::fstatat(session.get(), kList, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
      info.st_size >= kFullListBytes)
    ::renameat(session.get(), kList, session.get(), kOldList);
  OwnedFd list = open_regular(session.get(), kList, O_RDWR | O_APPEND);
  if (!list) list = create_private_file(session.get(), kList, O_RDWR | O_APPEND);
  if (!list) return;
  const std::string line = line_of(app, finished_ns, rule);
  write_all(list.get(), ends_within_line(list.get()) ? '\n' + line : line);
}

std::optional<Deletion> why_deleted(const AppRef& app) {
  const OwnedFd session = open_session(app.state_root, app.session);
  if (!session) return std::nullopt;
  for (const char* name : {kList, kOldList}) {
    std::string list;
    // The last lines may lie beyond the size at which a list is full.
    if (!read_file(session.get(), name, 2 * std::size_t{kFullListBytes}, list)) continue;
    const auto fields = find_line(list, app.app_id);
    if (fields.size() != 4) continue;
    Deletion out;
    out.by_rule = fields[3] != kOnRequest;
    out.text = "the app " + app.app_id;
    if (fields[1] != "0") out.text += " ended at " + time_text(fields[1]) + " and";
    out.text += " was deleted at " + time_text(fields[2]);
    out.text += out.by_rule ? " by the run option " + std::string(fields[3])
                            : std::string(" by `slipway delete` or `slipway prune`");
    return out;
  }
  return std::nullopt;
}

}  // namespace slipway::local
