#include "core/logs/log_output.hpp"

#include <utility>

#include "slipway/error.hpp"

namespace slipway::logs {

LogOutput::LogOutput(LogOutputOptions options, Write write)
    : options_(std::move(options)), buffer_(std::move(write)) {
  if (options_.tail || options_.merge != Merge::kNo) backlog_.emplace(options_.tail);
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
  bool any = false;
  one.text = rest;
  while (filter_ ? filter_->take_match(rest, one.text) : !any && !rest.empty()) {
    if (!any) end_line_of_another(one);
    buffer_.append_lines(one.text);
    is_inside_line_ = one.text.back() != '\n';
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
  backlog_->add(line);
  if (options_.merge == Merge::kNo || backlog_->size() <= options_.most_merged) return;
  if (options_.merge == Merge::kIfItFits) {
    end_of_backlog();
    return;
  }
  throw Error(Code::kUnavailable,
              "the logs are longer than the " + std::to_string(options_.most_merged >> 20U) +
                  " MiB that can be put in the order of their times",
              "choose fewer lines with --since, --until, --regex, --tail or a role");
}

void LogOutput::print(const LogLine& line) {
  missed_times_ = missed_times_ || (options_.style.timestamps && !line.time);
  if (!options_.style.json) {
    end_line_of_another(line);
    is_inside_line_ = !line.text.ends_with('\n');
  }
  printed_.clear();
  print_line(line, options_.style, printed_);
  buffer_.append(printed_);
}

/// Ends the line that another replica has not ended.
void LogOutput::end_line_of_another(const LogLine& line) {
  if (line.replica == last_replica_ && line.role == last_role_) return;
  if (is_inside_line_) buffer_.append("\n");
  last_role_ = line.role;
  last_replica_ = line.replica;
}

void LogOutput::end_of_backlog() {
  if (!backlog_) return;
  Backlog lines = std::move(*backlog_);
  backlog_.reset();
  const auto print_one = [this](const LogLine& line) { print(line); };
  if (options_.merge == Merge::kNo) {
    lines.take_by_replica(print_one);
  } else {
    const bool has_lines = lines.size() > 0;
    could_not_merge_ = !lines.take_by_time(print_one) && has_lines;
  }
}

void LogOutput::flush() { buffer_.flush(); }

}  // namespace slipway::logs
