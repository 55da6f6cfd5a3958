#include "plugins/local/supervisor/gpu_lease.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "plugins/local/engine/granted.hpp"
#include "plugins/local/engine/machine_locks.hpp"
#include "slipway/dict.hpp"

namespace slipway::local {
namespace {

constexpr char kGpuLocks[] = "gpus";
constexpr std::int64_t kTurn = std::int64_t{1} << 40;  // beyond every number

std::string list_text(const std::vector<std::int32_t>& numbers) {
  std::string out;
  for (const std::int32_t number : numbers)
    out += (out.empty() ? "" : ",") + std::to_string(number);
  return out;
}

/// Empty when the text is no list of numbers below `most`.
std::vector<std::int32_t> read_list(const std::string& text, std::int32_t most) {
  std::vector<std::int32_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int32_t number = -1;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0 || number >= most) return {};
    out.push_back(number);
    if (after != end && *after != ',') return {};
    at = after == end ? end : after + 1;
  }
  return out;
}

}  // namespace

GpuLease::GpuLease(LaunchPlan& plan) : plan_(plan), known_(gpus_needed(plan) == 0) {
  if (known_) return;
  turn_ = open_machine_lock(plan.lock_dir, kGpuLocks);
  for (std::int32_t i = 0; i < plan.machine_gpus; ++i)
    files_.push_back(open_machine_lock(plan.lock_dir, kGpuLocks));
}

bool GpuLease::acquire(int dir_fd) {
  if (known_ || use_recorded(dir_fd)) return true;
  if (!lock_byte(turn_.get(), kTurn)) return false;
  std::vector<std::int32_t> numbers;
  if (!lock_enough(numbers)) return false;
  hand_out(numbers);
  Granted record;
  for (const auto& [index, its] : numbers_) record.emplace(index, list_text(its));
  // Not recorded, a successor could not tell what is leased: no lease then.
  known_ = write_granted(dir_fd, kGpusName, record);
  if (known_) unlock_byte(turn_.get(), kTurn);
  return known_;
}

/// Locks as many as are needed, the lowest first; or none.
bool GpuLease::lock_enough(std::vector<std::int32_t>& numbers) {
  const auto needed = static_cast<std::size_t>(gpus_needed(plan_));
  // What a predecessor had locked when it was killed in between.
  for (std::size_t i = 0; i < files_.size(); ++i)
    unlock_byte(files_[i].get(), static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < files_.size() && numbers.size() < needed; ++i) {
    if (lock_byte(files_[i].get(), static_cast<std::int64_t>(i)))
      numbers.push_back(static_cast<std::int32_t>(i));
  }
  if (numbers.size() == needed) return true;
  for (const std::int32_t number : numbers)
    unlock_byte(files_[static_cast<std::size_t>(number)].get(), number);
  return false;
}

void GpuLease::hand_out(const std::vector<std::int32_t>& numbers) {
  auto next = numbers.begin();
  numbers_.clear();
  std::uint32_t index = 0;
  for (LaunchGroup& group : plan_.groups) {
    if (group.needs.gpus > 0) {
      numbers_[index].assign(next, next + group.needs.gpus);
      next += group.needs.gpus;
      tell(group, index);
    }
    index += static_cast<std::uint32_t>(group.count);
  }
}

bool GpuLease::use_recorded(int dir_fd) {
  const Granted record = read_granted(dir_fd, kGpusName);
  std::map<std::uint32_t, std::vector<std::int32_t>> found;
  std::uint32_t index = 0;
  for (const LaunchGroup& group : plan_.groups) {
    if (group.needs.gpus > 0) {
      const auto line = record.find(index);
      if (line == record.end()) return false;
      auto numbers = read_list(line->second, plan_.machine_gpus);
      if (numbers.size() != static_cast<std::size_t>(group.needs.gpus)) return false;
      found.emplace(index, std::move(numbers));
    }
    index += static_cast<std::uint32_t>(group.count);
  }
  numbers_ = std::move(found);
  index = 0;
  for (LaunchGroup& group : plan_.groups) {
    if (group.needs.gpus > 0) tell(group, index);
    // As many as can be had; a replica that lacks one waits for it.
    ready(index);
    index += static_cast<std::uint32_t>(group.count);
  }
  unlock_byte(turn_.get(), kTurn);
  return known_ = true;
}

void GpuLease::tell(LaunchGroup& group, std::uint32_t index) {
  const std::vector<std::int32_t>& numbers = numbers_[index];
  for (const std::string& name : plan_.gpu_variables) set(group.env, name, list_text(numbers));
  std::vector<int>& descriptors = descriptors_[index];
  descriptors.clear();
  for (const std::int32_t number : numbers)
    descriptors.push_back(files_[static_cast<std::size_t>(number)].get());
  std::sort(descriptors.begin(), descriptors.end());
}

bool GpuLease::ready(std::uint32_t index) {
  const auto found = numbers_.find(index);
  if (found == numbers_.end()) return true;
  bool all = true;
  for (const std::int32_t number : found->second)
    all = lock_byte(files_[static_cast<std::size_t>(number)].get(), number) && all;
  return all;
}

const std::vector<int>& GpuLease::descriptors(std::uint32_t index) const {
  static const std::vector<int> none;
  const auto found = descriptors_.find(index);
  return found != descriptors_.end() ? found->second : none;
}

}  // namespace slipway::local
