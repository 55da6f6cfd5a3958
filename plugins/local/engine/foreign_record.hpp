// Foreign records: those of another machine that shares the state root, and those of another
// version of Slipway. This program at most reads them.
#pragma once

#include <string>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

/// A file of a record has a format that this program does not know. A function that catches it
/// kills no process, and writes, moves and removes no file.
class OtherVersion : public Error {
 public:
  /// `file` of the record has the format `found`; `known` is the one of this program.
  OtherVersion(const std::string& file, const std::string& found, const std::string& known)
      : Error(Code::kUnavailable,
              file + " was written by another version of Slipway (format " + found +
                  ", this version knows format " + known + ")",
              "use the version that started the app; this one leaves the record as it is") {}
};

/// Returns the machine that `fixed` names, whose host name is `host`.
MachineIdentity machine_of(const StateFixed& fixed, const std::string& host);

/// Returns whether and why commands on this machine must not change the record of `fixed`. Locks
/// and pids of another machine mean nothing here, and this version would lose values that only a
/// newer format has.
Foreign foreign_of(const StateFixed& fixed, const std::string& host);

/// Throws kUnavailable if `app` is foreign. The error names the machine or version to use.
void require_own(const AppRef& ref, const AppSummary& app);

/// Calls require_own() for the record in `dir_fd`. If its state file is damaged, the machine in its
/// plan decides. Accepts a record whose state file and plan are both damaged or missing. Throws
/// OtherVersion for a format that this program does not know, and kDenied, kUnavailable or
/// kTemporary for a file that cannot be read now, which may be that of another machine.
void require_own_record(const AppRef& ref, int dir_fd);

}  // namespace slipway::local
