#include "core/logs/backlog.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace slipway::logs {

void Backlog::add(const LogLine& line) {
  HeldLines& held = lines_[{line.app, std::string(line.role), line.replica}];
  size_ += line.text.size();
  const bool ends = line.text.ends_with('\n');
  const auto begun = std::find_if(held.unfinished.begin(), held.unfinished.end(),
                                  [&](const HeldLine& one) { return one.stream == line.stream; });
  if (begun == held.unfinished.end()) {
    HeldLine added{line.time, line.stream, std::string(line.text)};
    if (ends) {
      keep(held, std::move(added));
    } else {
      held.unfinished.push_back(std::move(added));
    }
    return;
  }
  begun->text += line.text;
  if (!ends) return;
  keep(held, std::move(*begun));
  held.unfinished.erase(begun);
}

void Backlog::keep(HeldLines& held, HeldLine line) {
  held.lines.push_back(std::move(line));
  if (!tail_ || held.lines.size() <= *tail_) return;
  size_ -= held.lines.front().text.size();
  held.lines.pop_front();
}

/// Puts the unfinished lines behind the others.
void Backlog::keep_unfinished() {
  for (auto& [where, held] : lines_) {
    for (HeldLine& line : held.unfinished) keep(held, std::move(line));
    held.unfinished.clear();
  }
}

void Backlog::take_by_replica(const Print& print) {
  keep_unfinished();
  for (const auto& [where, held] : lines_) {
    const auto& [app, role, replica] = where;
    for (const HeldLine& line : held.lines)
      print({app, role, replica, line.stream, line.time, line.text});
  }
  lines_.clear();
  size_ = 0;
}

bool Backlog::take_by_time(const Print& print) {
  keep_unfinished();
  bool has_times = false;
  // Puts replicas whose lines have no times first.
  constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();
  // The next line of each replica: its time, the replica's index in `replicas`, the line's index.
  using Next = std::tuple<std::int64_t, std::size_t, std::size_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<decltype(lines_)::const_iterator> replicas;
  for (auto replica = lines_.cbegin(); replica != lines_.cend(); ++replica) {
    const std::deque<HeldLine>& held = replica->second.lines;
    const auto first = std::find_if(held.begin(), held.end(),
                                    [](const HeldLine& line) { return line.time.has_value(); });
    has_times = has_times || first != held.end();
    if (!held.empty())
      next.emplace(first == held.end() ? kBeforeAll : *first->time, replicas.size(), 0);
    replicas.push_back(replica);
  }
  while (!next.empty()) {
    const auto [time, replica, index] = next.top();
    next.pop();
    const auto& [app, role, number] = replicas[replica]->first;
    const std::deque<HeldLine>& held = replicas[replica]->second.lines;
    const HeldLine& line = held[index];
    print({app, role, number, line.stream, line.time, line.text});
    // max() keeps the lines of a replica in order, even if their times go backwards.
    if (index + 1 < held.size())
      next.emplace(std::max(time, held[index + 1].time.value_or(time)), replica, index + 1);
  }
  lines_.clear();
  size_ = 0;
  return has_times;
}

}  // namespace slipway::logs
