// The checks in `state.bin`, which find accidental damage (checksum.hpp).
//
// A writer sets the check of a part to kBeingChanged, changes the part, and seals it. A process
// that is killed in between leaves kBeingChanged, so its successor does not report an incomplete
// change as damage. A reader copies the file in ascending order. If a part has neither a correct
// check nor kBeingChanged, it may have changed during the copy, and the reader copies it again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// Number of times that a reader reads a part with a wrong check before it reports damage. A change
/// takes nanoseconds, so the second read almost always succeeds.
inline constexpr int kMostReads = 8;

/// The check of a part that is being changed. Neither a sealed part nor a part of zeros has it.
inline constexpr std::uint32_t kBeingChanged = 1;

/// Sets the check of the part to kBeingChanged. A writer calls it before it writes the first field.
void unseal(StateHeader& header);
void unseal(const ReplicaEntry& entry);

/// Computes and writes the check of the present fields.
void seal(StateHeader& header);
void seal(const ReplicaEntry& entry);

/// Returns whether the bytes of a StateHeader are undamaged.
bool is_whole_header(const char* header);
/// Returns whether the bytes of a ReplicaHead are undamaged.
bool is_whole_head(const char* head);
/// Returns whether the bytes of a ReplicaTail are undamaged. `word` is that of its head.
bool is_whole_tail(std::uint64_t word, const char* tail);
/// Returns whether the word of a head is undamaged. Replaces is_whole_head() where the caller knows
/// that the other fields are.
inline bool is_whole_word(const char* head) {
  const std::uint64_t word = word_of(head);
  return is_word(word) && (word_state(word) != RecordState::kRunning || word_pid(word) > 0);
}

/// The description of damage in the header.
inline constexpr char kHeaderDamage[] = "the checksum of its header is wrong";
/// Returns the description of damage in the entry of `replica` (`role/number`).
inline std::string record_damage(const std::string& replica) {
  return "the checksum of the entry of " + replica + " is wrong";
}

}  // namespace slipway::local
