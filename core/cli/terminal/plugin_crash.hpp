// The last word about a plug-in that crashes or ends the command's process.
#pragma once

namespace slipway::cli {

/// Watches every call of a plug-in in this process from now on.
///
/// A crash inside such a call (a signal, stack overflow and abort() included) and a call of exit()
/// end the process with exit status 70, after an error on standard error, and as JSON on standard
/// output if `json`, that names the plug-in, its version and the call. A crash elsewhere is said in
/// a line and takes its usual course, and so does one in a process that a plug-in forked.
///
/// Before the first such call standard output is put aside (stray_output.hpp).
void watch_plugins(bool json);

}  // namespace slipway::cli
