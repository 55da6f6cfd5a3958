// The states of an app and its replicas, from all their attempts and the app's rules.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/docker/request/app_rules.hpp"
#include "plugins/docker/state/container.hpp"
#include "sdk/support/rules/verdict.hpp"
#include "slipway/app_state.hpp"

namespace slipway::docker {

/// The numbers of restarts before an attempt. Attempts with the same numbers belong to one round.
struct Round {
  std::int32_t app_restarts = 0;
  std::int32_t role_restarts = 0;

  friend bool operator==(const Round&, const Round&) = default;
};

Round round_of(const Container& container);

/// One replica, and its attempts in their order. Each attempt is a container.
struct ReplicaProgress {
  std::size_t role = 0;                    ///< index of the role in the app's order
  std::vector<const Container*> attempts;  ///< not empty
  AppState state = AppState::kUnknown;
  /// What follows the failure of the last attempt; kForGood if it has not failed.
  rules::Verdict verdict = rules::Verdict::kForGood;
  rules::Failure failure;  ///< of the last attempt, if it has failed
  bool is_old = false;     ///< the last attempt belongs to an earlier round than the present one

  const Container& current() const { return *attempts.back(); }
  bool is_final() const { return is_terminal(state); }
};

/// The states at one moment. Two processes with the same containers compute the same states. Not
/// thread-safe.
class AppProgress {
 public:
  /// `containers` are those of one app, in the order of sort_replicas(), and not empty. Both
  /// arguments must outlive this object. Without rules each replica has one container, which the
  /// engine restarts.
  AppProgress(const std::optional<AppRules>& rules, const std::vector<Container>& containers);

  const std::vector<ReplicaProgress>& replicas() const { return replicas_; }
  /// Returns the mark that ended the whole app; kNone if no mark did.
  Mark stop_cause() const { return stop_cause_; }
  /// Returns whether all roles except services have ended.
  bool work_is_done() const { return work_is_done_; }
  std::int32_t app_restarts() const { return app_restarts_; }
  std::int32_t role_restarts(std::size_t role) const { return role_restarts_[role]; }
  /// Returns the round to which the next attempt of a replica of the role belongs.
  Round round(std::size_t role) const { return {app_restarts_, role_restarts_[role]}; }
  /// Returns whether so many replicas of the role have failed without a retry that the role cannot
  /// succeed.
  bool has_failed(std::size_t role) const;
  /// Returns whether the role is a service.
  bool is_service(std::size_t role) const;

  /// Returns the state of the app. While a replica has not ended, that is the first such replica's
  /// state, as in TorchX; with rules it is SUBMITTED, and RUNNING from the first start on. After
  /// the end it is CANCELLED if the app was cancelled, FAILED if a role that is not a service
  /// has_failed() or Slipway stopped the app, and otherwise SUCCEEDED.
  AppState state() const;

 private:
  /// Finds the replicas and the attempts of each.
  void group(const std::vector<Container>& containers);
  void count_restarts(const std::vector<Container>& containers);
  void apply_rules(ReplicaProgress& replica);
  void find_states();

  const std::optional<AppRules>& rules_;
  std::vector<ReplicaProgress> replicas_;
  std::vector<std::int32_t> role_restarts_;  // by role
  std::vector<std::uint32_t> failed_;        // by role: replicas that failed in the present round
  std::vector<std::uint32_t> for_good_;      // by role: failed replicas that are not retried
  std::int32_t app_restarts_ = 0;
  Mark stop_cause_ = Mark::kNone;
  bool work_is_done_ = false;
  bool has_started_ = false;  // whether any container has
};

/// Returns the rules in the labels of an app's containers; nullopt for an app without a supervisor,
/// and for a label that rules_in() cannot read.
std::optional<AppRules> rules_of(const std::vector<Container>& containers);

}  // namespace slipway::docker
