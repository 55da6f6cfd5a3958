// Standard output, which belongs to the command and not to plug-ins.
#pragma once

namespace slipway::registry {
class PluginCall;
}

namespace slipway::cli {

/// Returns the descriptor of the command's standard output: 1, or where it was put aside.
int standard_output();

/// Puts standard output aside at the first call: from then on descriptor 1 is a file in memory, and
/// forked processes do not have the command's standard output.
void put_standard_output_aside();

/// Shows what was written to descriptor 1 on standard error with the id of the plug-in that `call`
/// is in, after one warning per plug-in. [any thread]
void show_stray_output(const registry::PluginCall& call);

}  // namespace slipway::cli
