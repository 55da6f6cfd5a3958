#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace slipway::faults {

/// The parts of Slipway in a run, after kOther in the order in which they start.
enum class Part {
  kOther,       // a shell around the commands, a replica's program, a tool
  kCommand,     // `slipway`
  kSpawn,       // the command's child, until it executes the helper
  kStarter,     // the helper's first process, which only forks
  kWarden,      // the helper's second process
  kSupervisor,  // the helper's third process
  kChild,       // a replica, until it executes its program
};

inline constexpr int kPartCount = 7;

std::string_view part_name(Part part);

/// Returns the part with this name, or nothing for an unknown one.
std::optional<Part> part_named(std::string_view name);

/// Returns the part of a new process. `clone_flags` are those of the call that made it.
Part part_after_fork(Part parent, std::uint64_t clone_flags);

/// Returns the part of a process that executes `program`, a path.
Part part_after_exec(std::string_view program);

}  // namespace slipway::faults
