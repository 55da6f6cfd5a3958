#include "plugins/local/supervisor/spawning/replica_recipe.hpp"

#include <unordered_map>

#include "plugins/local/supervisor/processes/app_mark.hpp"

namespace slipway::local {
namespace {

constexpr std::string_view kPath = "PATH";
constexpr const char* kReplicaName = "SLIPWAY_REPLICA_ID";
constexpr const char* kAttemptName = "SLIPWAY_ATTEMPT";

std::string_view strip_colons(std::string_view text) {
  while (!text.empty() && text.front() == ':') text.remove_prefix(1);
  while (!text.empty() && text.back() == ':') text.remove_suffix(1);
  return text;
}

/// Joins two values of PATH as TorchX does, without colons at the ends of either.
std::string join_paths(std::string_view first, std::string_view second) {
  first = strip_colons(first);
  second = strip_colons(second);
  std::string joined(first);
  if (!first.empty() && !second.empty()) joined += ':';
  joined += second;
  return joined;
}

/// Returns the last value that the group gives to the variable; null: it gives none.
const std::string* group_value(const LaunchGroup& group, std::string_view name) {
  const std::string* found = nullptr;
  for (const auto& [key, value] : group.env) {
    if (key == name) found = &value;
  }
  return found;
}

/// Finds a variable in the submitter's environment. Returns false if it is not set.
bool inherited_value(const LaunchPlan& plan, std::string_view name, std::string_view& value) {
  for (const std::string& entry : plan.environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' &&
        entry.compare(0, name.size(), name) == 0) {
      value = std::string_view(entry).substr(name.size() + 1);
      return true;
    }
  }
  return false;
}

}  // namespace

bool depends_on_replica(const LaunchGroup& group, std::string_view text) {
  return group.expand_macros && text.find("replica_id") != std::string_view::npos;
}

bool replica_variable(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica,
                      std::string_view name, std::string& value) {
  std::string_view inherited;
  const bool has_inherited = inherited_value(plan, name, inherited);
  const std::string* own = group_value(group, name);
  if (own == nullptr) {
    value = inherited;
    return has_inherited;
  }
  value = group.expand_macros ? substitute_macros(*own, macro_values(plan, group, replica)) : *own;
  if (name == kPath) value = join_paths(value, inherited);
  return true;
}

ReplicaRecipe::ReplicaRecipe(const LaunchPlan& plan, const LaunchGroup& group,
                             const std::string& mark)
    : plan_(plan), group_(group) {
  const MacroValues first = macro_values(plan, group, group.first_replica);
  std::string_view path;
  inherited_value(plan, kPath, path);
  inherited_path_ = path;
  // execve takes char*, and never writes through it.
  const auto unchanged = [](const std::string& text) { return const_cast<char*>(text.c_str()); };

  argv_.resize(group.argv.size() + 1);
  argv_[0] = unchanged(group.argv[0]);
  // 8: the mark, five variables of identity, PYTHONUNBUFFERED and the null at the end.
  envp_.reserve(plan.environment.size() + group.env.size() + 8);
  // Slots move while they are added, so pointers to their text are taken at the end.
  for (std::size_t i = 1; i < group.argv.size(); ++i) place(argv_, i, "", group.argv[i], first);

  envp_.push_back(unchanged(mark));
  std::unordered_map<std::string_view, std::size_t> positions{{kAppMarkName, 0}};
  identify("SLIPWAY_APP_ID", plan.app_id);
  identify("SLIPWAY_ROLE", group.role);
  identify(kReplicaName, {});
  identify(kAttemptName, {});
  identify("TORCHX_MAX_RETRIES", std::to_string(group.rules.max_retries));
  for (const Identity& each : identity_)
    positions.emplace(std::string_view(each.prefix).substr(0, each.prefix.size() - 1),
                      each.position);
  for (const std::string& entry : plan.environment) {
    const std::string_view key = std::string_view(entry).substr(0, entry.find('='));
    if (positions.emplace(key, envp_.size()).second) envp_.push_back(unchanged(entry));
  }
  for (const auto& [key, value] : group.env) {
    // Of several values of a variable the last one counts. The group cannot replace the mark.
    if (group_value(group, key) != &value || key == kAppMarkName) continue;
    const auto [at, added] = positions.emplace(key, envp_.size());
    if (added) envp_.push_back(nullptr);
    place(envp_, at->second, key + '=', value, first);
  }
  static char unbuffered[] = "PYTHONUNBUFFERED=x";
  if (positions.count("PYTHONUNBUFFERED") == 0) envp_.push_back(unbuffered);
  envp_.push_back(nullptr);
  for (auto* slots : {&fixed_, &changing_}) {
    for (Slot& slot : *slots) (*slot.vector)[slot.position] = slot.value.data();
  }
}

void ReplicaRecipe::expand(Slot& slot, const MacroValues& values) {
  std::string text = group_.expand_macros ? substitute_macros(*slot.text, values) : *slot.text;
  if (slot.prefix == "PATH=") text = join_paths(text, inherited_path_);
  slot.value = slot.prefix + text;
}

/// Adds a slot for `text`, and expands it for the replica whose macros have the values `first`.
void ReplicaRecipe::place(std::vector<char*>& vector, std::size_t position, std::string prefix,
                          const std::string& text, const MacroValues& first) {
  auto& slots = depends_on_replica(group_, text) ? changing_ : fixed_;
  slots.push_back({&vector, position, std::move(prefix), &text, {}});
  expand(slots.back(), first);
}

/// Adds a variable about the replica, unless the group sets it.
void ReplicaRecipe::identify(const char* name, const std::string& value) {
  if (group_value(group_, name) != nullptr) return;
  const std::string prefix = std::string(name) + '=';
  Identity& added = identity_.emplace_back(Identity{envp_.size(), prefix, prefix + value});
  envp_.push_back(added.entry.data());
}

void ReplicaRecipe::set_number(const char* name, std::int64_t number) {
  for (Identity& each : identity_) {
    if (each.prefix.compare(0, each.prefix.size() - 1, name) != 0) continue;
    each.entry = each.prefix + std::to_string(number);
    envp_[each.position] = each.entry.data();
  }
}

void ReplicaRecipe::prepare(std::int32_t replica, std::uint32_t attempt) {
  set_number(kReplicaName, replica);
  set_number(kAttemptName, attempt);
  if (changing_.empty()) return;
  const MacroValues values = macro_values(plan_, group_, replica);
  for (Slot& slot : changing_) {
    expand(slot, values);
    (*slot.vector)[slot.position] = slot.value.data();
  }
}

}  // namespace slipway::local
