// Texts with places that only the running job can fill in: the app's id, which is the job's, and
// the replica's id.
#pragma once

#include <string>
#include <string_view>

namespace slipway::slurm {

/// A place is a NUL, which no text of an app can hold, and a letter.
inline constexpr std::string_view kAppIdMark{"\0A", 2};
inline constexpr std::string_view kReplicaIdMark{"\0R", 2};

/// Returns the text with `${app_id}` and `${replica_id}` at the places, as people and JSON see it.
std::string shown(std::string_view marked);

/// Returns one word of bash that expands to the text, with `"$SLIPWAY_APP_ID"` and
/// `"$SLIPWAY_REPLICA_ID"` at the places, and with every other byte as it is, such as newlines and
/// quotes. Adds quotes only if the word needs them.
std::string bash_word(std::string_view marked);

}  // namespace slipway::slurm
