#include "core/logs/log_output.hpp"

#include <utility>

#include "sdk/support/line_cut.hpp"
#include "slipway/error.hpp"

namespace slipway::logs {

namespace {

/// Returns whether `text` has only spaces. A program may overwrite its progress bar with them.
bool is_blank(std::string_view text) {
  return text.find_first_not_of(' ') == std::string_view::npos;
}

/// Returns the newest state of `line` as a line of its own.
std::string state_line(std::string_view line) { return std::string(newest_state(line)) + '\n'; }

}  // namespace

LogOutput::LogOutput(LogOutputOptions options, Write write, Show show)
    : options_(std::move(options)), buffer_(std::move(write)), show_(std::move(show)) {
  if (options_.tail || options_.merge != Merge::kNo) backlog_.emplace(options_.tail);
  if (!options_.regex.empty()) filter_.emplace(options_.regex);
}

void LogOutput::chunk(const LogChunk& chunk, std::uint32_t app) {
  pass({app, chunk.role, chunk.replica, chunk.stream, chunk.time, chunk.bytes});
  limit_backlog();
}

/// Prints or holds the bytes of a chunk, the text of `lines`. Keeps an unfinished last line for
/// later.
void LogOutput::pass(LogLine lines) {
  if (backlog_ && !filter_) {
    add(lines);  // the backlog joins the pieces of a line
    return;
  }
  if (!options_.follow && !backlog_) end_lines_of_others(lines);
  std::string_view rest = lines.text;
  LogLine line = lines;
  line.text = {};
  if (UnfinishedLine* const begun = unfinished_.find(line)) {
    std::string_view more;
    take_line(rest, more);
    begun->text.append(more);
    begun->time = line.time;
    if (!more.ends_with('\n')) {
      add_to_line(line, *begun);
      return;
    }
    end_line(line, *begun);
    unfinished_.erase(line);
  }
  lines.text = rest.substr(0, rest.rfind('\n') + 1);
  rest.remove_prefix(lines.text.size());
  if (!lines.text.empty()) add(lines);
  if (rest.empty()) return;
  UnfinishedLine& begun = unfinished_.add(line);
  begun.text = rest;
  begun.time = line.time;
  add_to_line(line, begun);
}

/// Prints the unfinished lines of streams other than that of `line`: without `follow`, such a line
/// is mostly the last one of its log. Keeps lines whose text was printed or dropped already, such
/// as very long lines and progress bars, because they may continue.
void LogOutput::end_lines_of_others(const LogLine& line) {
  if (unfinished_.empty()) return;
  const UnfinishedLine* const own = unfinished_.find(line);
  for (const LogLine& other : unfinished_.newest(unfinished_.size())) {
    const UnfinishedLine* const begun = unfinished_.find(other);
    if (begun == own || begun->text.empty()) continue;
    print_last(other, begun->is_selected);
    unfinished_.erase(other);
  }
}

/// Handles an unfinished line after more of it has arrived: shows, prints, holds or keeps it.
void LogOutput::add_to_line(LogLine line, UnfinishedLine& begun) {
  begun.changed = ++changes_;
  const bool is_long = begun.text.size() >= kLongLine;
  const bool is_bar = begun.text.find('\r') != std::string::npos;
  const bool needs_whole_line = options_.style.json || filter_;
  if (backlog_) {
    if (is_long) print_part(line, begun);
  } else if (show_) {
    shown_lines_changed_ = true;
    if (is_bar && (!filter_ || is_long || begun.is_selected)) drop_old_states(begun);
    if (begun.text.size() >= kLongLine) print_part(line, begun);
  } else if (is_long || (!needs_whole_line && (is_bar || begun.is_selected))) {
    print_part(line, begun);
  }
}

/// Drops the older states of a progress bar, after the filter has decided about them. A '\r' at the
/// end belongs to the newest state.
void LogOutput::drop_old_states(UnfinishedLine& begun) {
  const std::string_view state = newest_state(begun.text);
  if (state.empty()) return;
  begun.is_selected = begun.is_selected || (filter_ && matches(begun.text));
  begun.text.erase(0, static_cast<std::size_t>(state.data() - begun.text.data()));
}

/// Prints or holds the last part of a line, if this part or an earlier one matches.
void LogOutput::end_line(LogLine line, const UnfinishedLine& begun) {
  const bool is_shown = show_ && !backlog_;
  const std::string text = is_shown ? state_line(begun.text) : begun.text;
  line.text = text;
  if (is_shown) shown_lines_changed_ = has_ended_shown_line_ = true;
  if (begun.is_selected || matches(begun.text)) print_rest(line, begun.is_selected);
}

/// Prints or holds the available part of a line, but drops it if neither this part nor an earlier
/// one matches. Keeps a carriage return at its end for the next part, because print_line() puts the
/// prefix after that carriage return.
void LogOutput::print_part(LogLine line, UnfinishedLine& begun) {
  const std::size_t size = begun.text.find_last_not_of('\r') + 1;
  if (size == 0) return;
  line.text = std::string_view(begun.text).substr(0, size);
  if (begun.is_selected || matches(line.text)) {
    print_rest(line, begun.is_selected);
    begun.is_selected = true;
  }
  begun.text.erase(0, size);
}

/// Prints or holds a part of a line. `is_selected`: an earlier part was printed or matches.
void LogOutput::print_rest(LogLine line, bool is_selected) {
  if (is_selected && is_inside_line_ && is_of_last_stream(line) && !options_.style.json) {
    // The output still ends inside this line, so its next part needs no prefix before the first
    // carriage return.
    const std::string_view rest = line.text.substr(0, line.text.find('\r'));
    buffer_.append(rest);
    line.text.remove_prefix(rest.size());
    is_inside_line_ = !rest.ends_with('\n');
  }
  if (!line.text.empty()) print_or_hold(line);
}

/// Prints or holds the text of an unfinished line that does not continue, if this text or an
/// earlier part matches.
void LogOutput::print_last(const LogLine& line, bool is_selected) {
  if (!line.text.empty() && (is_selected || matches(line.text))) print_rest(line, is_selected);
}

bool LogOutput::matches(std::string_view line) { return !filter_ || filter_->matches(line); }

/// Prints or holds the lines of one replica in `one.text`.
void LogOutput::add(LogLine one) {
  const LineStyle& style = options_.style;
  std::string_view rest = one.text;
  const bool has_bar = show_ && rest.find('\r') != std::string_view::npos;
  if (backlog_ || style.json || has_bar) {
    while (next_line(rest, one.text)) print_or_hold(one);
    return;
  }
  buffer_.set_prefix(prefix_of(one, style));
  bool has_printed = false;
  one.text = rest;  // without a filter, all lines are printed at once
  while (filter_ ? filter_->take_match(rest, one.text) : !has_printed && !rest.empty()) {
    if (!has_printed) end_line_of_another(one);
    buffer_.append_lines(one.text);
    is_inside_line_ = one.text.back() != '\n';
    has_printed = true;
  }
  missed_times_ = missed_times_ || (has_printed && style.timestamps && !one.time);
}

/// Removes lines from the front of `rest` up to and including the first that matches, and stores
/// that one in `text`. Returns false if no line matches.
bool LogOutput::next_line(std::string_view& rest, std::string_view& text) {
  return filter_ ? filter_->take_match(rest, text) : take_line(rest, text);
}

void LogOutput::print_or_hold(const LogLine& line) {
  if (backlog_) {
    backlog_->add(line);
  } else {
    print(line);
  }
}

/// Ends a backlog that is too long to be merged.
void LogOutput::limit_backlog() {
  if (!backlog_ || options_.merge == Merge::kNo) return;
  if (backlog_->size() <= options_.most_merged) return;
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
  if (show_ && line.text.find('\r') != std::string_view::npos) {
    printed_ = prefix_of(line, options_.style) + state_line(line.text);
  } else {
    print_line(line, options_.style, printed_);
  }
  buffer_.append(printed_);
}

/// Ends the current line of the output if it belongs to another stream than `line`.
void LogOutput::end_line_of_another(const LogLine& line) {
  if (is_of_last_stream(line)) return;
  if (is_inside_line_) buffer_.append("\n");
  last_app_ = line.app;
  last_role_ = line.role;
  last_replica_ = line.replica;
  last_stream_ = line.stream;
}

bool LogOutput::is_of_last_stream(const LogLine& line) const {
  return line.replica == last_replica_ && line.stream == last_stream_ && line.app == last_app_ &&
         line.role == last_role_;
}

void LogOutput::end_of_backlog() {
  if (!backlog_) return;
  // Adds unfinished lines that the filter has selected. With `follow`, others may still match.
  for (const LogLine& line : unfinished_.newest(unfinished_.size())) {
    UnfinishedLine& begun = *unfinished_.find(line);
    if (options_.follow && !begun.is_selected) continue;
    print_last(line, begun.is_selected);
    begun.text.clear();
  }
  if (!options_.follow) unfinished_ = {};
  shown_lines_changed_ = show_ && !unfinished_.empty();
  Backlog lines = std::move(*backlog_);
  backlog_.reset();  // so that pass() does not store the lines again
  const auto print_one = [this](const LogLine& line) {
    const bool may_continue = options_.follow && !line.text.ends_with('\n');
    if (may_continue) {
      pass(line);
    } else {
      print(line);
    }
  };
  if (options_.merge == Merge::kNo) {
    lines.take_by_replica(print_one);
  } else {
    const bool has_lines = lines.size() > 0;
    could_not_merge_ = !lines.take_by_time(print_one) && has_lines;
  }
}

bool LogOutput::flush() {
  if (shown_lines_changed_) {
    const auto now = std::chrono::steady_clock::now();
    if (has_ended_shown_line_ || now - shown_at_ >= kShowPause) {
      show_(shown_lines());
      shown_at_ = now;
      shown_lines_changed_ = false;
      has_ended_shown_line_ = false;
    }
  }
  buffer_.flush();
  return shown_lines_changed_;
}

std::vector<std::string> LogOutput::shown_lines() {
  constexpr std::size_t kMostShown = 8;  // leaves most of a terminal to finished lines
  std::vector<std::string> out;
  for (const LogLine& line : unfinished_.newest(kMostShown)) {
    const std::string_view state = newest_state(line.text);
    if (is_blank(state) || !(unfinished_.find(line)->is_selected || matches(line.text))) continue;
    out.push_back(prefix_of(line, options_.style).append(state));
  }
  if (unfinished_.size() > kMostShown)
    out.push_back("(" + std::to_string(unfinished_.size() - kMostShown) +
                  " more unfinished lines)");
  return out;
}

void LogOutput::finish() {
  end_of_backlog();
  if (show_ && !unfinished_.empty()) show_({});  // removes the shown lines
  for (const LogLine& line : unfinished_.newest(unfinished_.size())) {
    const UnfinishedLine& begun = *unfinished_.find(line);
    if (!show_) {
      print_last(line, begun.is_selected);
    } else if (!is_blank(newest_state(line.text))) {
      end_line(line, begun);
    }
  }
  unfinished_ = {};
  shown_lines_changed_ = false;
  buffer_.flush();
}

}  // namespace slipway::logs
