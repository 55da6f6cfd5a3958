// Argument vector and environment of a replica, with what its group shares built only once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// Value of variable `name` in the final environment of one replica: the group's (macros expanded,
/// PATH joined) over the submitter's. False when it has none.
bool replica_variable(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica,
                      std::string_view name, std::string& value);

/// Whether `text` differs between the replicas of `group` once its macros are expanded.
bool depends_on_replica(const LaunchGroup& group, std::string_view text);

/// argv and envp of the replicas of one group. prepare() recomputes only the entries that contain
/// `replica_id`.
///
/// The environment is the submitter's (first entry of a name wins, as in getenv), overlaid with the
/// group's in place, PATH joined in front of the inherited one, PYTHONUNBUFFERED=x unless set, and
/// `mark` (app_mark.hpp), whatever the others say under its name.
class ReplicaRecipe {
 public:
  /// `plan`, `group` and `mark` must outlive this.
  ReplicaRecipe(const LaunchPlan& plan, const LaunchGroup& group, const std::string& mark);
  ReplicaRecipe(const ReplicaRecipe&) = delete;
  ReplicaRecipe& operator=(const ReplicaRecipe&) = delete;

  /// Makes argv() and envp() those of `replica`, until the next call.
  void prepare(std::int32_t replica);

  char* const* argv() const { return argv_.data(); }
  char* const* envp() const { return envp_.data(); }

 private:
  struct Slot {
    std::vector<char*>* vector;
    std::size_t position;
    std::string prefix;  // `NAME=`, or nothing for an argument
    const std::string* text;
    std::string value;
  };
  void expand(Slot& slot, const MacroValues& values);
  void place(std::vector<char*>& vector, std::size_t position, std::string prefix,
             const std::string& text, const MacroValues& first);

  const LaunchPlan& plan_;
  const LaunchGroup& group_;
  std::string inherited_path_;
  std::vector<char*> argv_;
  std::vector<char*> envp_;
  std::vector<Slot> fixed_;  // the same for the whole group
  std::vector<Slot> changing_;
};

}  // namespace slipway::local
