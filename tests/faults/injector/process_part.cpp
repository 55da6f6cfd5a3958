#include "tests/faults/injector/process_part.hpp"

#include <sched.h>

#include <array>

namespace slipway::faults {
namespace {

constexpr std::array<std::string_view, kPartCount> kNames{
    "other", "command", "spawn", "starter", "warden", "supervisor", "child",
};

}  // namespace

std::string_view part_name(Part part) { return kNames[static_cast<std::size_t>(part)]; }

std::optional<Part> part_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Part>(i);
  }
  return std::nullopt;
}

Part part_after_fork(Part parent, std::uint64_t clone_flags) {
  const bool shares_memory = (clone_flags & CLONE_VM) != 0;
  switch (parent) {
    // In a Git repository, this also names the command's child that executes `git`. No scenario
    // runs in one.
    case Part::kCommand: return shares_memory ? Part::kSpawn : Part::kOther;
    case Part::kStarter: return Part::kWarden;
    // A child without shared memory is a supervisor. A warden that has taken over also starts the
    // command of `on_end` in that way, which this misnames; no scenario has one.
    case Part::kWarden: return shares_memory ? Part::kChild : Part::kSupervisor;
    case Part::kSupervisor: return shares_memory ? Part::kChild : Part::kOther;
    default: return Part::kOther;
  }
}

Part part_after_exec(std::string_view program) {
  const std::string_view file = program.substr(program.rfind('/') + 1);
  if (file == "slipway") return Part::kCommand;
  if (file == "slipway-local-supervisor") return Part::kStarter;
  return Part::kOther;
}

}  // namespace slipway::faults
