// Texts with places that only the running job can fill in: the app's id, which is the job's, and
// the replica's id.
#pragma once

#include <string>
#include <string_view>

namespace slipway::slurm {

/// A place is a NUL, which no text of an app can hold, and a letter.
inline constexpr std::string_view kAppIdMark{"\0A", 2};
inline constexpr std::string_view kReplicaIdMark{"\0R", 2};

/// The text as people and JSON see it: `${app_id}`, `${replica_id}`.
std::string shown(std::string_view marked);

/// One word of bash that expands to the text, with `"$SLIPWAY_APP_ID"` and `"$SLIPWAY_REPLICA_ID"`
/// at the places; every other byte, newlines and quotes included, stands for itself. Plain words
/// stay without quotes.
std::string bash_word(std::string_view marked);

}  // namespace slipway::slurm
