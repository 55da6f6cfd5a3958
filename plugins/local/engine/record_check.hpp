// The checks in `state.bin`: they tell a record that was written by a supervisor from one that was
// damaged since. Not a protection against malice.
//
// A writer marks a part as being changed, changes it, and seals it. A process that is killed in
// between leaves the mark, so that its successor does not treat a half-made change as damage. A
// reader that copies the file upwards sees a check that fits, or the mark, or reads again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// How often a reader reads a part whose check does not fit before it calls the part damaged. The
/// stretch in which a reader may see half of a change takes some nanoseconds.
inline constexpr int kMostReads = 8;

/// The check of a part that is being changed. No sealed part has it, and neither has one of zeros.
inline constexpr std::uint32_t kBeingChanged = 1;

/// Marks the part as being changed, before the first of its fields is written.
void unseal(StateHeader& header);
void unseal(const ReplicaRecord& record);

/// Writes the check over the fields as they are.
void seal(StateHeader& header);
void seal(const ReplicaRecord& record);

/// Whether the bytes of a StateHeader, of a ReplicaHead, or of a ReplicaTail whose head has that
/// word, are as a writer left them.
bool is_whole_header(const char* header);
bool is_whole_head(const char* head);
bool is_whole_tail(std::uint64_t word, const char* tail);

/// What is damaged, in words.
inline constexpr char kHeaderDamage[] = "the checksum of its header is wrong";
inline std::string record_damage(const std::string& replica) {
  return "the checksum of the record of " + replica + " is wrong";
}

/// As is_whole_head(), of which all but the word is known to be as in a head that is whole.
bool is_whole_word(const char* head);

}  // namespace slipway::local
