#include "plugins/local/supervisor/starting/gpu_lease.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "plugins/local/engine/journal_reader.hpp"
#include "plugins/local/engine/machine_leases.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/dict.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

// Names of leases. The name of each begins with kNameStart.
constexpr std::string_view kNameStart = "gpu";
constexpr char kTurn[] = "gpus-turn";      // of the app that may choose its GPUs next
constexpr char kChoice[] = "gpus-choice";  // of the app that finds free GPUs and takes them now

/// Returns the name of the lease on a GPU.
std::string gpu_name(std::int32_t number) { return "gpu/" + std::to_string(number); }

/// Takes a lease for as long as the returned descriptor is open. Returns an empty descriptor if
/// another app has the lease, or the attempt failed.
OwnedFd try_lease(const std::string& pool, const std::string& name) {
  try {
    OwnedFd holder = make_lease_holder();
    if (!take_lease(holder, pool, name)) holder.reset();
    return holder;
  } catch (const Error&) {
    return OwnedFd();
  }
}

/// Returns whether no process has the lease on the GPU at this moment.
bool is_free(const std::string& pool, std::int32_t number) {
  return static_cast<bool>(try_lease(pool, gpu_name(number)));
}

std::string list_text(const std::vector<std::int32_t>& numbers) {
  return joined(numbers, ",", [](std::int32_t number) { return std::to_string(number); });
}

/// Returns an empty list for a text that is not a list of numbers below `most`.
std::vector<std::int32_t> read_list(std::string_view text, std::int32_t most) {
  std::vector<std::int32_t> out;
  while (!text.empty()) {
    const auto number = take_plain_number<std::int32_t>(text);
    if (!number || *number < 0 || *number >= most) return {};
    out.push_back(*number);
    if (!text.empty() && text.front() != ',') return {};
    if (!text.empty()) text.remove_prefix(1);
  }
  return out;
}

}  // namespace

GpuLease::GpuLease(LaunchPlan& plan) : plan_(plan), known_(gpus_needed(plan) == 0) {
  if (known_) return;
  for (std::int32_t i = 0; i < plan.machine_gpus; ++i) holders_.push_back(make_lease_holder());
}

bool GpuLease::acquire(AppFiles& files) {
  if (known_ || use_recorded(files)) return true;
  if (!turn_) turn_ = try_lease(plan_.lease_pool, kTurn);
  if (!turn_) return false;
  std::vector<std::int32_t> numbers;
  if (!choose(numbers)) return false;
  assign(numbers);
  for (const auto& [index, its] : numbers_) {
    // Programs that read the journal find the fields of a line by ` pid=`; a lease has no process.
    files.events().add(files.state().header().sequence.load(),
                       "replica " + files.state().replica_name(index) + ' ' +
                           std::string(kGpusLeased) + " pid=0 gpus=" + list_text(its));
  }
  // A successor needs these lines to know the app's GPUs.
  known_ = files.events().flush();
  record_error_ = known_ ? 0 : errno;
  if (known_) turn_.reset();
  return known_;
}

/// Leases as many GPUs as the app needs, the lowest free numbers first, and sets `numbers`. Returns
/// false if too few are free.
bool GpuLease::choose(std::vector<std::int32_t>& numbers) {
  const auto needed = static_cast<std::size_t>(gpus_needed(plan_));
  const OwnedFd choice = try_lease(plan_.lease_pool, kChoice);
  if (!choice) return false;
  const auto count = static_cast<std::int32_t>(holders_.size());
  // A predecessor may have leased GPUs and died before it recorded them. The holders have them.
  for (std::int32_t i = 0; i < count; ++i) {
    if (has_lease(holders_[static_cast<std::size_t>(i)])) numbers.push_back(i);
  }
  for (std::int32_t i = 0; i < count && numbers.size() < needed; ++i) {
    const bool ours = has_lease(holders_[static_cast<std::size_t>(i)]);
    if (!ours && is_free(plan_.lease_pool, i)) numbers.push_back(i);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers.size() >= needed && take(numbers);
}

/// Takes the leases on `numbers`, as far as the app does not have them. Returns false if another
/// process has one of them.
bool GpuLease::take(const std::vector<std::int32_t>& numbers) {
  bool all = true;
  for (const std::int32_t number : numbers) {
    const OwnedFd& holder = holders_[static_cast<std::size_t>(number)];
    all = take_lease(holder, plan_.lease_pool, gpu_name(number)) && all;
  }
  return all;
}

std::string GpuLease::shortage() const {
  if (record_error_ != 0)
    return std::string("cannot record its GPUs: ") + std::strerror(record_error_);
  std::string text = "waits for " + std::to_string(gpus_needed(plan_)) + " of this machine's " +
                     std::to_string(plan_.machine_gpus) + " GPUs";
  std::map<std::uint32_t, std::string> by_user;
  // The keys are the names without kNameStart.
  const auto users = lease_users(plan_.lease_pool, std::string(kNameStart));
  for (std::int32_t i = 0; i < plan_.machine_gpus; ++i) {
    const auto user = users.find(gpu_name(i).substr(kNameStart.size()));
    if (user == users.end()) continue;
    std::string& numbers = by_user[user->second];
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(i);
  }
  if (by_user.empty()) return text + ", which other apps have leased";
  for (const auto& [user, numbers] : by_user) {
    const bool is_one = numbers.find(',') == std::string::npos;
    text += "; user " + std::to_string(user) + " has " + (is_one ? "GPU " : "GPUs ") + numbers;
  }
  const auto next = users.find(std::string(kTurn).substr(kNameStart.size()));
  if (!turn_ && next != users.end())
    text += "; an app of user " + std::to_string(next->second) + " chooses first";
  return text;
}

/// Gives each replica with GPUs its part of `numbers`. A group with GPUs has only one replica.
void GpuLease::assign(const std::vector<std::int32_t>& numbers) {
  auto next = numbers.begin();
  numbers_.clear();
  std::uint32_t index = 0;
  for (LaunchGroup& group : plan_.groups) {
    if (group.needs.gpus > 0) {
      numbers_[index].assign(next, next + group.needs.gpus);
      next += group.needs.gpus;
      set_variables(group, index);
    }
    index += static_cast<std::uint32_t>(group.count);
  }
}

bool GpuLease::use_recorded(AppFiles& files) {
  const Histories record = read_histories(files.dir_fd());
  if (record.empty()) return false;
  std::map<std::uint32_t, std::vector<std::int32_t>> found;
  std::uint32_t index = 0;
  for (const LaunchGroup& group : plan_.groups) {
    if (group.needs.gpus > 0) {
      const auto history = record.find(files.state().replica_name(index));
      if (history == record.end()) return false;
      auto numbers = read_list(history->second.gpus, plan_.machine_gpus);
      if (numbers.size() != static_cast<std::size_t>(group.needs.gpus)) return false;
      found.emplace(index, std::move(numbers));
    }
    index += static_cast<std::uint32_t>(group.count);
  }
  numbers_ = std::move(found);
  index = 0;
  for (LaunchGroup& group : plan_.groups) {
    if (group.needs.gpus > 0) set_variables(group, index);
    // Takes the leases on the replica's GPUs again. If that fails, the replica waits for them
    // before it starts.
    has_gpus(index);
    index += static_cast<std::uint32_t>(group.count);
  }
  turn_.reset();
  return known_ = true;
}

void GpuLease::set_variables(LaunchGroup& group, std::uint32_t index) {
  const std::vector<std::int32_t>& numbers = numbers_[index];
  for (const std::string& name : plan_.gpu_variables) set(group.env, name, list_text(numbers));
  std::vector<int>& descriptors = descriptors_[index];
  descriptors.clear();
  for (const std::int32_t number : numbers)
    descriptors.push_back(holders_[static_cast<std::size_t>(number)].get());
  std::sort(descriptors.begin(), descriptors.end());
}

bool GpuLease::has_gpus(std::uint32_t index) {
  const auto found = numbers_.find(index);
  if (found == numbers_.end()) return true;
  const auto ours = [this](std::int32_t number) {
    return has_lease(holders_[static_cast<std::size_t>(number)]);
  };
  if (std::all_of(found->second.begin(), found->second.end(), ours)) return true;
  const OwnedFd choice = try_lease(plan_.lease_pool, kChoice);
  const auto available = [&](std::int32_t number) {
    return ours(number) || is_free(plan_.lease_pool, number);
  };
  return choice && std::all_of(found->second.begin(), found->second.end(), available) &&
         take(found->second);
}

const std::vector<int>& GpuLease::descriptors(std::uint32_t index) const {
  static const std::vector<int> none;
  const auto found = descriptors_.find(index);
  return found != descriptors_.end() ? found->second : none;
}

}  // namespace slipway::local
