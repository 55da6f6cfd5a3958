// Texts that name replicas, for `slipway log` and `slipway signal`:
// `SCHEDULER://[SESSION]/APP[/ROLE[/K[,K2…]]]`, as TorchX's `log` command reads them. K may also be
// a range of replicas, such as 0-3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Ends the scheduler's name in a handle.
inline constexpr std::string_view kSchedulerEnd = "://";

struct ReplicaSelection {
  AppHandle app;
  std::optional<std::string> role;     ///< of several roles, the names with commas: `a,b`
  std::vector<std::int32_t> replicas;  ///< empty: all
};

/// Parses a text that starts with a scheduler. An empty session means `session`. Ignores a comma
/// after the last replica and a newline at the end. Throws Error kUsage for other texts. Does not
/// check whether the app, the role and the replicas exist.
ReplicaSelection parse_log_identifier(const std::string& text, const std::string& session);

/// Reads the role from parts[first] and the replicas from parts[first + 1] into `out`; both parts
/// are optional. Throws Error kUsage, with the whole `text` in the message, for further parts, a
/// role without a name (also `,`), replicas that are neither numbers nor ranges, and more than a
/// million replicas.
void parse_log_replicas(const std::string& text, const std::vector<std::string>& parts,
                        std::size_t first, ReplicaSelection& out);

/// Returns the parts of `text` between slashes, from the byte `start` on.
std::vector<std::string> slash_parts(const std::string& text, std::size_t start);

}  // namespace slipway::cli
