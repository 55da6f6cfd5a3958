// Keeps the output of plug-ins out of the command's standard output.
#pragma once

namespace slipway::registry {
class PluginCall;
}

namespace slipway::cli {

/// Returns the descriptor of the command's standard output: 1 until divert_plugin_output() moves
/// it.
int standard_output();

/// Moves the command's standard output to another descriptor and makes descriptor 1 a file in
/// memory. Forked processes do not inherit the command's standard output. Calls after the first do
/// nothing. Does nothing if no descriptors are left.
void divert_plugin_output();

/// Prints the text that was written to descriptor 1 on standard error at level kInfo, each line
/// after the id of the plug-in that `call` calls. Also prints one warning for each plug-in. [any
/// thread]
void print_diverted_output(const registry::PluginCall& call);

}  // namespace slipway::cli
