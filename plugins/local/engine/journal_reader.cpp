#include "plugins/local/engine/journal_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/journal.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Takes what is before the next `separator`, which is dropped.
std::string_view take(std::string_view& from, char separator) {
  const std::size_t end = from.find(separator);
  const std::string_view out = from.substr(0, end);
  from = end == std::string_view::npos ? std::string_view() : from.substr(end + 1);
  return out;
}

template <typename T>
bool read_number(std::string_view text, T& out, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// `subject` and `what` of the text of a line. A role's name may hold spaces, and so may what
/// follows ` pid=`, so the replica's name ends at the word before that.
bool take_apart(std::string_view text, Event& out) {
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

bool read_event(std::string_view line, Event& out) {
  std::uint32_t checksum = 0;
  if (!read_number(take(line, ' '), checksum, 16) || checksum != crc32(line)) return false;
  return read_number(take(line, ' '), out.sequence) && read_number(take(line, ' '), out.time_ns) &&
         take_apart(line, out);
}

}  // namespace

std::string_view Event::text(std::string_view name) const {
  const std::string key = ' ' + std::string(name) + '=';
  const std::size_t at = fields.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view value = fields.substr(at + key.size());
  return value.substr(0, value.find(' '));
}

std::int64_t Event::number(std::string_view name, std::int64_t otherwise) const {
  std::int64_t out = otherwise;
  return read_number(text(name), out) ? out : otherwise;
}

std::vector<Event> read_events(std::string_view bytes, bool& gap_at_end) {
  std::vector<Event> events;
  gap_at_end = false;
  if (take(bytes, '\n') != kEventsVersion) return events;
  // What follows the last newline was never finished.
  bytes = bytes.substr(0, bytes.rfind('\n') + 1);
  while (!bytes.empty()) {
    Event event;
    const bool whole = read_event(take(bytes, '\n'), event);
    event.after_gap = gap_at_end;
    gap_at_end = !whole;
    if (whole) events.push_back(event);
  }
  return events;
}

void check_journal_version(int dir_fd) {
  const OwnedFd file(::openat(dir_fd, kEventsName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::array<char, 32> bytes{};
  const ssize_t n = file ? ::read(file.get(), bytes.data(), bytes.size()) : -1;
  if (n <= 0) return;
  std::string_view line(bytes.data(), static_cast<std::size_t>(n));
  line = take(line, '\n');
  std::uint32_t version = 0;
  if (line == kEventsVersion || line.substr(0, kEventsWord.size()) != kEventsWord ||
      !read_number(line.substr(kEventsWord.size()), version)) {
    return;
  }
  throw OtherVersion(kEventsName, std::to_string(version),
                     std::string(kEventsVersion.substr(kEventsWord.size())));
}

}  // namespace slipway::local
