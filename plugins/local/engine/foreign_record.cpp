#include "plugins/local/engine/foreign_record.hpp"

#include "slipway/error.hpp"

namespace slipway::local {
MachineIdentity machine_of(const StateFixed& fixed, const std::string& host) {
  return {std::string(fixed.boot_id, sizeof fixed.boot_id), fixed.machine, host};
}

Foreign foreign_of(const StateFixed& fixed, const std::string& host) {
  if (!same_machine(machine_of(fixed, host), this_machine())) return Foreign::kMachine;
  return fixed.version > kStateVersion ? Foreign::kVersion : Foreign::kNo;
}

void require_own(const AppRef& ref, const AppSummary& app) {
  const bool ended = is_terminal(app.state);
  switch (app.foreign) {
    case Foreign::kNo: return;
    case Foreign::kVersion:
      throw Error(Code::kUnavailable,
                  "the record of " + ref.app_id + " was written by a newer version of Slipway",
                  "use the version that started it; this one only shows the app");
    case Foreign::kMachine:
      throw Error(Code::kUnavailable,
                  "the app " + ref.app_id + (ended ? " ran on " : " runs on ") + app.host +
                      ", another machine",
                  "ask there; if that machine is gone for good, remove " + app_dir_path(ref));
  }
}

}  // namespace slipway::local
