#pragma once

namespace slipway::bench {

/// From now on SIGINT and SIGTERM do not end this process: calls that wait return early, and the
/// next fail_if_interrupted() throws, so that everything is tidied up on the way out.
void catch_signals();

/// Throws std::runtime_error once one of them has come.
void fail_if_interrupted();

}  // namespace slipway::bench
