#include "core/logs/log_output.hpp"

#include <utility>

namespace slipway::logs {

namespace {

constexpr std::size_t kBuffer = 64 * 1024;

}  // namespace

LogOutput::LogOutput(LogOutputOptions options, Write write)
    : options_(std::move(options)), write_(std::move(write)), backlog_(options_.tail.has_value()) {
  if (!options_.regex.empty()) filter_.emplace(options_.regex);
}

void LogOutput::chunk(const LogChunk& chunk) {
  const LineStyle& style = options_.style;
  if (!backlog_ && !filter_ && !style.prefix && !style.timestamps && !style.json) {
    // nothing to do line by line: the bytes go through as they came
    flush();
    write_(chunk.bytes);
    return;
  }
  if (!backlog_ && !filter_ && !style.json) {
    missed_times_ = missed_times_ || (style.timestamps && !chunk.time);
    const LogLine all{chunk.role, chunk.replica, chunk.stream, chunk.time, {}};
    append_lines(prefix_of(all, style), chunk.bytes, buffer_);
    if (buffer_.size() >= kBuffer) flush();
    return;
  }
  std::string_view rest = chunk.bytes;
  std::string_view text;
  while (filter_ ? filter_->take_match(rest, text) : take_line(rest, text))
    line({chunk.role, chunk.replica, chunk.stream, chunk.time, text});
}

void LogOutput::line(const LogLine& line) {
  if (!backlog_) {
    print(line);
    return;
  }
  auto& held = tails_[{std::string(line.role), line.replica}];
  held.push_back({line.time, line.stream, std::string(line.text)});
  if (held.size() > *options_.tail) held.pop_front();
}

void LogOutput::print(const LogLine& line) {
  missed_times_ = missed_times_ || (options_.style.timestamps && !line.time);
  print_line(line, options_.style, buffer_);
  if (buffer_.size() >= kBuffer) flush();
}

void LogOutput::end_of_backlog() {
  if (!backlog_) return;
  backlog_ = false;
  for (const auto& [replica, lines] : tails_) {
    for (const Held& held : lines)
      print({replica.first, replica.second, held.stream, held.time, held.text});
  }
  tails_.clear();
}

void LogOutput::flush() {
  if (buffer_.empty()) return;
  write_(buffer_);
  buffer_.clear();
}

}  // namespace slipway::logs
