#include "core/logs/log_output.hpp"

#include <utility>

namespace slipway::logs {

LogOutput::LogOutput(LogOutputOptions options, Write write)
    : options_(std::move(options)), backlog_(options_.tail.has_value()), buffer_(std::move(write)) {
  if (!options_.regex.empty()) filter_.emplace(options_.regex);
}

void LogOutput::chunk(const LogChunk& chunk) {
  const LineStyle& style = options_.style;
  LogLine one{chunk.role, chunk.replica, chunk.stream, chunk.time, {}};
  std::string_view rest = chunk.bytes;
  if (backlog_ || style.json) {
    while (next_line(rest, one.text)) print_or_hold(one);
    return;
  }
  buffer_.set_prefix(prefix_of(one, style));
  bool any = !filter_;
  if (any) buffer_.append_lines(rest);
  while (filter_ && filter_->take_match(rest, one.text)) {
    buffer_.append_lines(one.text);
    any = true;
  }
  missed_times_ = missed_times_ || (any && style.timestamps && !chunk.time);
}

bool LogOutput::next_line(std::string_view& rest, std::string_view& text) {
  return filter_ ? filter_->take_match(rest, text) : take_line(rest, text);
}

void LogOutput::print_or_hold(const LogLine& line) {
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
  printed_.clear();
  print_line(line, options_.style, printed_);
  buffer_.append(printed_);
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

void LogOutput::flush() { buffer_.flush(); }

}  // namespace slipway::logs
