// Texts with places that only the running job can fill in: for the app's id, which is the job's,
// for the replica's id, and for hosts of roles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway::slurm {

/// The places for ids. A place is a NUL, which no text of an app can contain, and a letter.
inline constexpr std::string_view kAppIdPlace{"\0A", 2};
inline constexpr std::string_view kReplicaIdPlace{"\0R", 2};

/// Returns the place for the host of the first task of part number `part` (job_plan.hpp): a NUL,
/// `H`, the number and a semicolon.
std::string host_place(std::size_t part);
/// Returns the name of the variable of the batch script that has this host.
std::string host_variable(std::size_t part);

/// Returns the text for people and JSON: with `${app_id}` and `${replica_id}` at their places, and
/// with `$SLIPWAY_HOST_<n>` at the places for hosts.
std::string readable_text(std::string_view text);

/// Returns one word of bash that expands to the text, with `"$SLIPWAY_APP_ID"`,
/// `"$SLIPWAY_REPLICA_ID"` and `"$SLIPWAY_HOST_<n>"` at the places, and with every other byte as it
/// is, such as newlines and quotes. Adds quotes only if the word needs them. Bash reads these
/// variables when it expands the word, so nothing may change them before.
std::string bash_word(std::string_view text);

}  // namespace slipway::slurm
