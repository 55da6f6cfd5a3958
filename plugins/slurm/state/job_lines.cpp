#include "plugins/slurm/state/job_lines.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "plugins/slurm/state/host_list.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

std::string_view without_newline(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

/// Splits the text into at most `max_pieces` pieces; the last one has the rest of the text.
std::vector<std::string_view> split(std::string_view text, char separator,
                                    std::size_t max_pieces = std::string_view::npos) {
  std::vector<std::string_view> out;
  while (out.size() + 1 < max_pieces) {
    const std::size_t end = text.find(separator);
    if (end == std::string_view::npos) break;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out.push_back(text);
  return out;
}

/// Returns the number at the start of the text, such as 12 of "12_3".
std::optional<std::int64_t> number(std::string_view text) {
  return take_plain_number<std::int64_t>(text);
}

/// Reads times such as "2026-11-21T20:24:00" in this machine's time zone, the form in which all of
/// Slurm's commands print times. Returns nullopt for "Unknown" and "N/A". Remembers the start of
/// the last hour, because mktime() is slow: it checks the file of the time zone each time.
class TimeReader {
 public:
  TimeNs read(std::string_view text) {
    constexpr std::size_t kHour = 13;    // characters up to the hour
    constexpr std::size_t kLength = 19;  // characters up to the second
    if (text.size() < kLength) return std::nullopt;
    if (text.substr(0, kHour) != hour_) {
      hour_ = text.substr(0, kHour);
      std::tm fields{};
      fields.tm_isdst = -1;
      hour_start_ = ::strptime(hour_.c_str(), "%Y-%m-%dT%H", &fields) != nullptr
                        ? static_cast<std::int64_t>(std::mktime(&fields))
                        : 0;
    }
    const auto minute = number(text.substr(kHour + 1, 2));
    const auto second = number(text.substr(kHour + 4, 2));
    if (hour_start_ <= 0 || !minute || !second) return std::nullopt;
    return (hour_start_ + *minute * 60 + *second) * kSecondNs;
  }

 private:
  std::string hour_;
  std::int64_t hour_start_ = 0;
};

/// Returns the text; empty for the words by which Slurm says that there is none.
std::string plain(std::string_view text) {
  return text == "None" || text == "(null)" || text == "N/A" ? std::string() : std::string(text);
}

/// Reads "1:0" or "0:9": exit code and signal.
void read_exit(std::string_view text, QueueJob& job) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  job.signal = static_cast<std::int32_t>(number(text.substr(colon + 1)).value_or(0));
  if (const auto code = number(text.substr(0, colon)); code && job.signal == 0)
    job.exit_code = static_cast<std::int32_t>(*code);
}

/// Returns CANCELLED for "CANCELLED by 1000" and "CANCELLED+".
std::string first_word(std::string_view text) {
  return std::string(text.substr(0, text.find_first_of(" +")));
}

/// Reads "12", "12+1" (a component), "12_3" (a task of an array) or "12_[4-7%2]" (tasks that wait).
void read_id(std::string_view text, QueueJob& job) {
  job.id = number(text).value_or(0);
  const std::size_t separator = text.find_first_of("+_");
  if (separator == std::string_view::npos) return;
  const auto part = number(text.substr(separator + 1));
  if (text[separator] == '+') {
    job.het_id = job.id;
    job.het_offset = static_cast<std::int32_t>(part.value_or(0));
  } else {
    job.array_id = job.id;
    if (part) {
      job.array_task = static_cast<std::int32_t>(*part);
    } else if (separator + 2 < text.size() && text[separator + 1] == '[') {
      job.array_tasks = text.substr(separator + 2, text.find(']', separator) - separator - 2);
    }
  }
}

/// Reads times such as "00:01.250", "01:02:03" and "2-01:02:03". A part that is no number counts
/// as 0.
std::int64_t cpu_time_ns(std::string_view text) {
  constexpr std::int64_t kHoursPerDay = 24;
  double time = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    time = static_cast<double>(number(text).value_or(0) * kHoursPerDay);
    text.remove_prefix(dash + 1);
  }
  double unit = 1;  // after days, the first part is in hours, as `time` is
  for (const std::string_view part : split(text, ':')) {
    time = time * unit + plain_number<double>(part).value_or(0);
    unit = 60;
  }
  return std::llround(time * static_cast<double>(kSecondNs));
}

/// Reads sizes such as "129280K" and "1.5G", whose units are powers of 1024; 0 for other texts.
std::int64_t memory_bytes(std::string_view text) {
  constexpr std::string_view kUnits = "KMGTPE";
  const auto size = take_plain_number<double>(text);
  if (!size) return 0;
  const std::size_t unit = text.empty() ? kUnits.npos : kUnits.find(text.front());
  return std::llround(std::ldexp(*size, unit == kUnits.npos ? 0 : 10 * static_cast<int>(unit + 1)));
}

/// Returns the value of NAME=VALUE in a line of such pairs. A value ends before " OTHER=" or two
/// blanks.
std::string field(std::string_view line, const std::string& name) {
  const std::string key = " " + name + "=";
  std::size_t start = line.find(key);
  if (start == std::string_view::npos) return {};
  start += key.size();
  std::size_t end = line.size();
  for (std::size_t blank = line.find(' ', start); blank != std::string_view::npos;
       blank = line.find(' ', blank + 1)) {
    const std::string_view next = line.substr(blank + 1);
    const std::size_t stop = next.find_first_of(" =");
    if (stop == 0 || (stop != std::string_view::npos && next[stop] == '=')) {
      end = blank;
      break;
    }
  }
  return plain(line.substr(start, end - start));
}

/// Returns the comment. The comment of Slipway's jobs ends with the mark; the user's text before
/// the mark may look like another field.
std::string comment_of(std::string_view line) {
  constexpr std::string_view kKey = " Comment=";
  const std::size_t start = line.find(kKey);
  const std::size_t mark = line.find("[slipway ", start);
  const std::size_t end = line.find(']', mark);
  if (start == std::string_view::npos || mark == std::string_view::npos ||
      end == std::string_view::npos) {
    return field(line, "Comment");
  }
  const std::size_t first = start + kKey.size();
  return std::string(line.substr(first, end + 1 - first));
}

/// Counts the numbers of a list such as "0-3,8".
std::int32_t count_of(std::string_view list) {
  std::int64_t out = 0;
  for (const std::string_view range : split(list, ',')) {
    const auto first = number(range);
    const std::size_t dash = range.find('-');
    const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
    if (first && last) out += *last - *first + 1;
  }
  return static_cast<std::int32_t>(out);
}

/// Reads the hosts of a running job from `scontrol --details`: "Nodes=n[1-2] CPU_IDs=0-1 Mem=2000"
/// for each group of hosts with equal shares. The job's resource is that of its last host, as in
/// TorchX.
void read_hosts(const std::string& line, QueueJob& job) {
  constexpr std::string_view kNodes = " Nodes=";
  constexpr std::string_view kCpus = " CPU_IDs=";
  for (std::size_t at = line.find(kNodes); at != std::string::npos;
       at = line.find(kNodes, at + 1)) {
    const std::string_view rest = std::string_view(line).substr(at);
    const std::size_t end = rest.find(' ', kNodes.size());
    // Only such a group has CPU_IDs next; the comment may also have " Nodes=".
    if (end == std::string_view::npos || rest.substr(end, kCpus.size()) != kCpus) continue;
    for (std::string& host : expand_hosts(rest.substr(kNodes.size(), end - kNodes.size())))
      job.hosts.push_back(std::move(host));
    job.resource.cpu = count_of(field(rest, "CPU_IDs"));
    if (const auto memory = number(field(rest, "Mem"))) job.resource.mem_mb = *memory;
  }
  if (job.hosts.empty()) return;
  job.nodes = joined(job.hosts, ",");
}

/// Reads what a step used. `cell` returns the text of a column of its line.
template <class Cell>
StepUse step_use(const Cell& cell) {
  StepUse out;
  out.tasks = static_cast<std::int32_t>(number(cell("NTasks")).value_or(0));
  out.use = {cpu_time_ns(cell("TotalCPU")), memory_bytes(cell("MaxRSS"))};
  if (const auto task = number(cell("MaxRSSTask")))
    out.largest_task = static_cast<std::int32_t>(*task);
  return out;
}

}  // namespace

std::vector<QueueJob> parse_squeue_lines(std::string_view text) {
  constexpr char kSeparator = '\x1f';
  constexpr std::size_t kFields = 6;
  constexpr std::size_t kName = 3;
  TimeReader times;
  std::vector<QueueJob> out;
  for (const std::string_view line : split_lines(text)) {
    const auto cells = split(without_newline(line), kSeparator, kFields);
    // A line end in a name or a comment moves the rest to another line, which is skipped.
    if (cells.size() <= kName || !number(cells[0])) continue;
    QueueJob job;
    read_id(cells[0], job);
    job.states = {std::string(cells[1])};
    job.submitted_at = times.read(cells[2]);
    job.name = cells[kName];
    if (cells.size() > kName + 1) job.comment = plain(cells[kName + 1]);
    if (cells.size() == kFields) job.command = plain(cells.back());
    out.push_back(std::move(job));
  }
  return out;
}

std::vector<QueueJob> parse_sacct_lines(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto separator = std::find_if_not(text.begin(), text.end(), is_letter);
  if (separator == text.end()) return {};
  std::vector<std::string_view> titles;
  TimeReader times;
  std::vector<QueueJob> out;
  for (const std::string_view line : split_lines(text)) {
    // The last column, the comment, may contain any character.
    const auto cells = split(without_newline(line), *separator,
                             titles.empty() ? std::string_view::npos : titles.size());
    if (titles.empty()) {
      titles = cells;
      continue;
    }
    // After a line end in a name or a comment, the rest of the row has at most two columns.
    if (cells.size() + 1 < titles.size()) continue;
    const auto cell = [&](std::string_view title) {
      for (std::size_t i = 0; i < titles.size() && i < cells.size(); ++i) {
        if (titles[i] == title) return cells[i];
      }
      return std::string_view();
    };
    const std::string_view id = cell("JobID");
    if (!number(id)) continue;
    // Steps follow their job.
    if (const std::size_t point = id.find('.'); point != std::string_view::npos) {
      const bool is_first = !out.empty() && out.back().step.tasks == 0;
      if (is_first && number(id.substr(point + 1))) {
        out.back().step = step_use(cell);
        out.back().tasks = std::max(1, out.back().step.tasks);
      }
      continue;
    }
    QueueJob job;
    read_id(id, job);
    // A component or task also has a number of its own: 13 for "12+1".
    if (const auto raw = number(cell("JobIDRaw"))) job.id = *raw;
    job.name = cell("JobName");
    job.state_text = cell("State");
    job.states = {first_word(cell("State"))};
    if (job.states.front().empty()) {
      throw Error(Code::kInvalid, "sacct prints no state of job " + std::string(id),
                  "the accounting record may not be complete yet; ask again");
    }
    job.comment = cell("Comment");
    job.nodes = plain(cell("NodeList") == "None assigned" ? std::string_view() : cell("NodeList"));
    if (const auto restarts = number(cell("Restarts")))
      job.restarts = static_cast<std::int32_t>(*restarts);
    job.submitted_at = times.read(cell("Submit"));
    job.started_at = times.read(cell("Start"));
    job.finished_at = times.read(cell("End"));
    read_exit(cell("ExitCode"), job);
    out.push_back(std::move(job));
  }
  return out;
}

std::vector<QueueJob> parse_scontrol_lines(std::string_view text) {
  TimeReader times;
  std::vector<QueueJob> out;
  for (const std::string_view raw : split_lines(text)) {
    const std::string line = " " + std::string(without_newline(raw));
    QueueJob job;
    job.id = number(field(line, "JobId")).value_or(0);
    if (job.id == 0) continue;
    job.het_id = number(field(line, "HetJobId")).value_or(0);
    job.het_offset = static_cast<std::int32_t>(number(field(line, "HetJobOffset")).value_or(0));
    job.array_id = number(field(line, "ArrayJobId")).value_or(0);
    const std::string task = field(line, "ArrayTaskId");
    if (task.find_first_not_of("0123456789") != std::string::npos) {
      job.array_tasks = task;
    } else if (const auto id = number(task)) {
      job.array_task = static_cast<std::int32_t>(*id);
    }
    job.name = field(line, "JobName");
    job.states = {field(line, "JobState")};
    job.reason = field(line, "Reason");
    job.nodes = field(line, "NodeList");
    read_hosts(line, job);
    job.command = field(line, "Command");
    job.work_dir = field(line, "WorkDir");
    job.comment = comment_of(line);
    if (const auto restarts = number(field(line, "Restarts")))
      job.restarts = static_cast<std::int32_t>(*restarts);
    job.tasks = static_cast<std::int32_t>(number(field(line, "NumTasks")).value_or(1));
    job.submitted_at = times.read(field(line, "SubmitTime"));
    job.started_at = times.read(field(line, "StartTime"));
    job.finished_at = times.read(field(line, "EndTime"));
    read_exit(field(line, "ExitCode"), job);
    out.push_back(std::move(job));
  }
  return out;
}

}  // namespace slipway::slurm
