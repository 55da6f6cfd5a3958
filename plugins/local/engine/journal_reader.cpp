#include "plugins/local/engine/journal_reader.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/journal.hpp"
#include "sdk/support/checksum.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Removes the text up to the next `separator` from `from`, and returns it without the separator.
std::string_view take(std::string_view& from, char separator) {
  const std::size_t end = from.find(separator);
  const std::string_view out = from.substr(0, end);
  from = end == std::string_view::npos ? std::string_view() : from.substr(end + 1);
  return out;
}

template <typename T>
bool read_number(std::string_view text, T& out, int base = 10) {
  const auto number = plain_number<T>(text, base);
  if (number) out = *number;
  return number.has_value();
}

/// Splits the text of a line into subject, word and fields. Returns false if it has no word. A
/// role's name may contain spaces, so the subject ends at the last word before ` pid=`.
bool split_text(std::string_view text, Event& out) {
  const std::size_t fields = text.rfind(" pid=");
  if (fields != std::string_view::npos) {
    out.fields = text.substr(fields);
    text = text.substr(0, fields);
  }
  const std::size_t space = text.rfind(' ');
  if (space == std::string_view::npos) return false;
  out.subject = text.substr(0, space);
  out.what = text.substr(space + 1);
  return true;
}

/// Reads a line of the journal. Returns false if it is damaged.
bool read_event(std::string_view line, Event& out) {
  std::uint32_t checksum = 0;
  if (!read_number(take(line, ' '), checksum, 16) || checksum != crc32(line)) return false;
  return read_number(take(line, ' '), out.sequence) && read_number(take(line, ' '), out.time_ns) &&
         split_text(line, out);
}

/// Removes the first line and an incomplete last line from `bytes`. Returns false for a journal of
/// another version.
bool take_first_line(std::string_view& bytes) {
  if (take(bytes, '\n') != kEventsVersion) return false;
  bytes = bytes.substr(0, bytes.rfind('\n') + 1);
  return true;
}

/// Calls `use` with the events of the journal `bytes` whose Event::what is `word`. Most lines have
/// other words, so searches the bytes for the word before it reads a line.
template <typename Use>
void for_each_with(std::string_view bytes, std::string_view word, Use use) {
  if (!take_first_line(bytes)) return;
  const std::string key = std::string(word) + " pid=";
  for (std::size_t at = bytes.find(key); at != std::string_view::npos;) {
    const std::size_t begin = bytes.rfind('\n', at) + 1;  // 0 on the first line
    const std::size_t end = bytes.find('\n', at);
    Event event;
    if (read_event(bytes.substr(begin, end - begin), event) && event.what == word) use(event);
    at = bytes.find(key, end);
  }
}

/// Returns the attempt that a kAttemptEnded line describes.
EarlierAttempt attempt_in(const Event& event) {
  EarlierAttempt attempt;
  attempt.state = app_state_from(event.text("state")).value_or(AppState::kUnknown);
  attempt.pid = event.number("pid", 0);
  attempt.reason = reason_name(reason_of(event.text("reason")));
  const std::int64_t started_ns = event.number("started", 0);
  if (started_ns != 0) attempt.started_at = started_ns;
  attempt.finished_at = event.time_ns;
  attempt.use = {event.number("cpu_ns", 0), event.number("max_rss", 0)};
  const std::int64_t out_end = event.number("out_end", -1);
  const std::int64_t err_end = event.number("err_end", -1);
  if (out_end >= 0 && err_end >= 0)
    attempt.logs = {static_cast<std::uint64_t>(out_end), static_cast<std::uint64_t>(err_end)};
  if (event.text("status").empty()) return attempt;
  const auto status = static_cast<int>(event.number("status", 0));
  if (WIFEXITED(status)) attempt.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) attempt.signal = WTERMSIG(status);
  return attempt;
}

}  // namespace

std::string_view Event::text(std::string_view name) const {
  for (std::string_view rest = fields; !rest.empty();) {
    const std::string_view field = take(rest, ' ');
    if (field.starts_with(name) && field.substr(name.size()).starts_with('='))
      return field.substr(name.size() + 1);
  }
  return {};
}

std::int64_t Event::number(std::string_view name, std::int64_t otherwise) const {
  std::int64_t out = otherwise;
  return read_number(text(name), out) ? out : otherwise;
}

std::vector<Event> read_events(std::string_view bytes, bool& gap_at_end) {
  std::vector<Event> events;
  gap_at_end = false;
  if (!take_first_line(bytes)) return events;
  while (!bytes.empty()) {
    Event event;
    const bool whole = read_event(take(bytes, '\n'), event);
    event.after_gap = gap_at_end;
    gap_at_end = !whole;
    if (whole) events.push_back(event);
  }
  return events;
}

Histories read_histories(int dir_fd) {
  Histories out;
  std::string journal;
  if (!read_file(dir_fd, kEventsName, kMostJournalBytes, journal)) return out;
  const auto history_of = [&out](const Event& event) -> ReplicaHistory& {
    constexpr std::string_view kReplica = "replica ";
    return out[std::string(event.subject.substr(std::min(kReplica.size(), event.subject.size())))];
  };
  for_each_with(journal, kGpusLeased,
                [&](const Event& event) { history_of(event).gpus = event.text("gpus"); });
  for_each_with(journal, kAttemptEnded, [&](const Event& event) {
    history_of(event).attempts.push_back(
        {static_cast<std::uint32_t>(event.number("attempt", 0)), attempt_in(event)});
  });
  return out;
}

std::uint64_t count_ended_attempts(std::string_view bytes) {
  std::uint64_t count = 0;
  for_each_with(bytes, kAttemptEnded, [&](const Event&) { ++count; });
  return count;
}

void check_journal_version(int dir_fd) {
  const OwnedFd file(::openat(dir_fd, kEventsName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::array<char, 32> bytes{};
  const ssize_t n = file ? ::read(file.get(), bytes.data(), bytes.size()) : -1;
  if (n <= 0) return;
  std::string_view line(bytes.data(), static_cast<std::size_t>(n));
  line = take(line, '\n');
  std::uint32_t version = 0;
  if (line == kEventsVersion || !line.starts_with(kEventsWord) ||
      !read_number(line.substr(kEventsWord.size()), version)) {
    return;
  }
  throw OtherVersion(kEventsName, std::to_string(version),
                     std::string(kEventsVersion.substr(kEventsWord.size())));
}

}  // namespace slipway::local
