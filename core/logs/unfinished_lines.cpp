#include "core/logs/unfinished_lines.hpp"

#include <algorithm>

namespace slipway::logs {

std::string_view newest_state(std::string_view line) {
  const std::size_t last = line.find_last_not_of("\r\n");
  if (last == std::string_view::npos) return {};
  line = line.substr(0, last + 1);
  const std::size_t carriage_return = line.rfind('\r');
  return carriage_return == std::string_view::npos ? line : line.substr(carriage_return + 1);
}

UnfinishedLines::Key UnfinishedLines::key_of(const LogLine& line) {
  return {line.app, std::string(line.role), line.replica, line.stream};
}

UnfinishedLine* UnfinishedLines::find(const LogLine& line) {
  if (lines_.empty()) return nullptr;
  const auto found = lines_.find(key_of(line));
  return found == lines_.end() ? nullptr : &found->second;
}

UnfinishedLine& UnfinishedLines::add(const LogLine& line) { return lines_[key_of(line)]; }

void UnfinishedLines::erase(const LogLine& line) { lines_.erase(key_of(line)); }

std::vector<LogLine> UnfinishedLines::newest(std::size_t most) const {
  std::vector<std::uint64_t> changes;
  changes.reserve(lines_.size());
  for (const auto& [where, line] : lines_) changes.push_back(line.changed);
  std::uint64_t oldest = 0;
  if (changes.size() > most) {
    const auto at = changes.begin() + static_cast<std::ptrdiff_t>(changes.size() - most);
    std::nth_element(changes.begin(), at, changes.end());
    oldest = *at;
  }
  std::vector<LogLine> out;
  for (const auto& [where, line] : lines_) {
    const auto& [app, role, replica, stream] = where;
    if (line.changed >= oldest) out.push_back({app, role, replica, stream, line.time, line.text});
  }
  return out;
}

}  // namespace slipway::logs
