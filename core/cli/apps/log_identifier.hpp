// The replicas that `slipway log` and `slipway signal` are asked for:
// `SCHEDULER://[SESSION]/APP[/ROLE[/K[,K2…]]]`, as TorchX's `log` command reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipway/app_handle.hpp"

namespace slipway::cli {

struct LogSelection {
  AppHandle app;
  std::optional<std::string> role;
  std::vector<std::int32_t> replicas;  ///< none: all
};

/// Where the app is named with its scheduler. An empty session means `session`. A comma after the
/// last replica and a line break at the end do not count. Throws Error kUsage for anything else;
/// names and numbers are not looked up.
LogSelection parse_log_identifier(const std::string& text, const std::string& session);

/// What follows the app: parts[first] is the role and parts[first + 1] its replicas, where they are
/// there. `text` is the whole, for the Error kUsage that is thrown when there are more parts, or
/// empty ones, or no numbers.
void parse_log_replicas(const std::string& text, const std::vector<std::string>& parts,
                        std::size_t first, LogSelection& out);

/// `text` from `start` on, cut at every '/'.
std::vector<std::string> slash_parts(const std::string& text, std::size_t start);

}  // namespace slipway::cli
