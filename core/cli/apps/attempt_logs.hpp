// Makes queries for the output of one attempt of each replica, bounded by the attempt's time.
#pragma once

#include <cstddef>
#include <vector>

#include "slipway/logs.hpp"
#include "slipway/runner.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

/// Returns the number of attempts of a replica that have begun.
std::size_t attempts_of(const ReplicaStatus& replica);

/// The queries for one attempt, and how many attempts the selected replica with the most attempts
/// has had.
struct AttemptQueries {
  std::vector<LogQuery> queries;
  std::size_t most_attempts = 0;
};

/// Returns copies of `query`, each bounded to a time in which attempt `number` (from 1 on) of some
/// of its replicas ran. Replicas with the same bounds share a query. Leaves out replicas that have
/// not had the attempt. If the app lacks a role or replica that `query` names, returns only `query`
/// and 0: the scheduler reports the error. Throws Error kNotFound if `query` names a replica by its
/// number that has not had the attempt, kUnimplemented if the scheduler does not record when the
/// attempt or the next one began, and kUnavailable if the clock was set back between the two.
AttemptQueries attempt_queries(const AppStatus& status, const LogQuery& query, std::size_t number);

}  // namespace slipway::cli
