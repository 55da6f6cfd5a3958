#include "plugins/local/logs/line_times.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/logs/stream_cuts.hpp"
#include "plugins/local/logs/time_marks.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

// The supervisor looks at new output 2 ms later, or up to 100 ms later without watches or under
// load.
constexpr std::int64_t kLookNs = 100'000'000;

/// Returns the marks in times.bin beside the log file; none if it is missing or of another version.
std::vector<TimeMark> read_marks(const std::string& log_path) {
  std::vector<TimeMark> marks;
  const std::string path = log_path.substr(0, log_path.rfind('/') + 1) + kTimesName;
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  TimesHeader header{};
  // Asks for the size last, because the supervisor may write the header just now.
  if (!fd || ::pread(fd.get(), &header, sizeof header, 0) != sizeof header ||
      std::memcmp(header.magic, kTimesMagic, sizeof header.magic) != 0 ||
      ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size < off_t{sizeof header}) {
    return marks;
  }
  const auto bytes = static_cast<std::size_t>(status.st_size) - sizeof header;
  marks.resize(bytes / sizeof(TimeMark));
  std::size_t done = 0;
  while (done < marks.size() * sizeof(TimeMark)) {
    const ssize_t length =
        ::pread(fd.get(), reinterpret_cast<char*>(marks.data()) + done,
                marks.size() * sizeof(TimeMark) - done, static_cast<off_t>(sizeof header + done));
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;
    done += static_cast<std::size_t>(length);
  }
  marks.resize(done / sizeof(TimeMark));
  return marks;
}

/// Returns the end of a mark in the file of `stream`.
std::uint64_t end_of(const TimeMark& mark, Stream stream) {
  switch (stream) {
    case Stream::kStdout: return mark.out_end;
    case Stream::kStderr: return mark.err_end;
    case Stream::kCombined: break;
  }
  return mark.out_end + mark.err_end;
}

/// Returns the offset at which an attempt begins in the file of `stream`.
std::uint64_t offset_of(const AttemptStart& start, Stream stream) {
  return end_of({0, 0, start.out, start.err}, stream);
}

/// Returns the number of bytes that were cut from the stream; time marks still count them.
std::uint64_t cut_of(const std::string& log_path, Stream stream) {
  if (stream == Stream::kCombined) return 0;
  const std::string path = log_path.substr(0, log_path.rfind('/') + 1) + kCutsName;
  const StreamCuts cuts = read_cuts(AT_FDCWD, path.c_str());
  return stream == Stream::kStdout ? cuts.out : cuts.err;
}

}  // namespace

std::int64_t LineTimes::Span::time_ns() const {
  return first_ns != 0 && last_ns - first_ns <= kSharpNs ? last_ns : 0;
}

LineTimes::LineTimes(const std::string& path, Stream stream, std::uint64_t size,
                     const std::vector<AttemptStart>& starts, std::int64_t changed_ns) {
  std::uint64_t out = 0;
  std::uint64_t err = 0;
  // The first time at which bytes behind the last mark may have been written; 0: not known.
  std::int64_t open_since = starts.empty() ? 0 : starts.front().time_ns;
  const std::uint64_t cut = cut_of(path, stream);
  for (std::size_t i = 1; i < starts.size(); ++i) {
    const std::uint64_t counted = offset_of(starts[i], stream);
    const std::int64_t time = starts[i].time_ns;
    const std::int64_t end = starts[i].previous_end_ns;
    starts_.push_back({std::min(counted - std::min(counted, cut), size), time,
                       end != 0 ? std::min(end, time) : time});
  }
  for (const TimeMark& mark : read_marks(path)) {
    // If a mark does not fit, times.bin is damaged or another process cut the log.
    const bool fits =
        mark.out_end >= out && mark.err_end >= err && mark.last_ns + kLookNs >= mark.first_ns;
    const std::uint64_t counted = end_of(mark, stream);
    if (!fits || counted > size + cut) break;
    out = mark.out_end;
    err = mark.err_end;
    open_since = mark.first_ns != 0 ? mark.first_ns : open_since;
    const std::uint64_t begin = spans_.empty() ? 0 : spans_.back().end;
    const std::uint64_t end = counted - std::min(counted, cut);
    if (end == begin) continue;
    spans_.push_back({end, open_since, std::max(mark.last_ns, mark.first_ns)});
  }
  const std::uint64_t covered = spans_.empty() ? 0 : spans_.back().end;
  if (covered != size) spans_.push_back({size, open_since, std::max(changed_ns, open_since)});
  cut_spans_at_starts();
}

/// Gives each attempt a span of its own, so that attempts that follow each other within one mark
/// have different times.
void LineTimes::cut_spans_at_starts() {
  std::vector<Span> out;
  auto start = starts_.begin();
  std::uint64_t begin = 0;
  for (Span span : spans_) {
    for (; start != starts_.end() && start->offset < span.end; ++start) {
      // The clock was set back.
      if (start->time_ns < span.first_ns || start->time_ns > span.last_ns + kClockTickNs) continue;
      if (start->offset > begin)
        out.push_back(
            {start->offset, span.first_ns, std::max(start->previous_end_ns, span.first_ns)});
      begin = start->offset;
      span.first_ns = start->time_ns;
      span.last_ns = std::max(span.last_ns, span.first_ns);
    }
    begin = span.end;
    out.push_back(span);
  }
  spans_ = std::move(out);
}

LineTimes::Span LineTimes::at(std::uint64_t offset) const {
  const auto span =
      std::upper_bound(spans_.begin(), spans_.end(), offset,
                       [](std::uint64_t wanted, const Span& one) { return wanted < one.end; });
  if (span != spans_.end()) return *span;
  Span beyond = spans_.empty() ? Span{} : spans_.back();
  beyond.end = std::numeric_limits<std::uint64_t>::max();
  return beyond;
}

/// Returns whether nothing before the start has a time after it, so that the clock was not set back
/// between them.
bool LineTimes::is_after_all_before(const Start& start) const {
  std::uint64_t begin = 0;
  for (const Span& span : spans_) {
    if (begin >= start.offset) return true;
    if (span.first_ns > start.time_ns) return false;
    begin = span.end;
  }
  return true;
}

/// Returns whether nothing after the start has a time before it.
bool LineTimes::is_before_all_after(const Start& start) const {
  return std::none_of(spans_.rbegin(), spans_.rend(), [&](const Span& span) {
    return span.end > start.offset && span.last_ns + kClockTickNs < start.time_ns;
  });
}

LineTimes::Part LineTimes::part(const TimeRange& range) const {
  Part part;
  bool any = false;
  std::uint64_t begin = 0;
  for (const Span& span : spans_) {
    const bool late_enough = !range.since_ns || span.last_ns + kClockTickNs >= *range.since_ns;
    const bool early_enough = !range.until_ns || span.first_ns - kLookNs <= *range.until_ns;
    if (late_enough && early_enough) {
      if (!any) part.begin = begin;
      any = true;
      part.end = span.end;
    }
    begin = span.end;
  }
  const auto last = std::find_if(starts_.rbegin(), starts_.rend(), [&](const Start& start) {
    return range.since_ns && start.time_ns <= *range.since_ns;
  });
  if (last != starts_.rend() && is_after_all_before(*last))
    part.begin = std::max(part.begin, last->offset);
  const auto next = std::find_if(starts_.begin(), starts_.end(), [&](const Start& start) {
    return range.until_ns && start.time_ns > *range.until_ns;
  });
  if (next != starts_.end() && is_before_all_after(*next))
    part.end = std::min(part.end, next->offset);
  return part.begin < part.end ? part : Part{};
}

}  // namespace slipway::local
