// Arguments and environment of a replica.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// Gets the value of variable `name`, which must not be one that ReplicaRecipe adds, in the final
/// environment of the replica with the number `replica` within its role. The group's value (macros
/// expanded, PATH joined) hides the submitter's. Returns false if neither has the variable.
bool replica_variable(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica,
                      std::string_view name, std::string& value);

/// Returns whether `text` may differ between the replicas of `group` after macro expansion.
bool depends_on_replica(const LaunchGroup& group, std::string_view text);

/// argv and envp of the replicas of one group. Entries without the macro `${replica_id}` are made
/// once for the group. Not thread safe.
///
/// The environment is the submitter's; of two entries with one name the first counts, as in
/// getenv(). The group's variables replace entries of the same name, except that the group's PATH
/// is put in front of the submitter's. PYTHONUNBUFFERED=x is added unless set, and `mark`
/// (app_mark.hpp) replaces any other entry with its name. SLIPWAY_APP_ID, SLIPWAY_ROLE,
/// SLIPWAY_REPLICA_ID, SLIPWAY_ATTEMPT (from 1 on) and TORCHX_MAX_RETRIES replace the submitter's,
/// but not the group's.
class ReplicaRecipe {
 public:
  /// `plan`, `group` and `mark` must outlive this.
  ReplicaRecipe(const LaunchPlan& plan, const LaunchGroup& group, const std::string& mark);
  ReplicaRecipe(const ReplicaRecipe&) = delete;
  ReplicaRecipe& operator=(const ReplicaRecipe&) = delete;

  /// Makes argv() and envp() those of an attempt of `replica` until the next call.
  void prepare(std::int32_t replica, std::uint32_t attempt);

  char* const* argv() const { return argv_.data(); }
  char* const* envp() const { return envp_.data(); }

 private:
  /// An element of argv_ or envp_ whose text this object makes.
  struct Slot {
    std::vector<char*>* vector;  // argv_ or envp_
    std::size_t position;        // in the vector
    std::string prefix;          // `NAME=`; empty for an argument
    const std::string* text;     // of the group, with macros
    std::string value;           // the prefix, and the text without macros
  };
  void expand(Slot& slot, const MacroValues& values);
  void place(std::vector<char*>& vector, std::size_t position, std::string prefix,
             const std::string& text, const MacroValues& first);

  const LaunchPlan& plan_;
  const LaunchGroup& group_;
  std::string inherited_path_;
  std::vector<char*> argv_;
  std::vector<char*> envp_;
  std::vector<Slot> fixed_;     // the same for the whole group
  std::vector<Slot> changing_;  // different in each replica
  /// A variable with a name or number of the replica, such as SLIPWAY_ROLE.
  struct Identity {
    std::size_t position;  // in envp_
    std::string prefix;    // `NAME=`
    std::string entry;     // `NAME=value`
  };
  void identify(const char* name, const std::string& value);
  void set_number(const char* name, std::int64_t number);
  std::deque<Identity> identity_;  // without those that the group sets itself
};

}  // namespace slipway::local
