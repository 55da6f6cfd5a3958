#pragma once

namespace slipway::bench {

/// From now on SIGINT and SIGTERM do not end this process. Waiting calls return early, and the next
/// fail_if_interrupted() throws, so that destructors clean up.
void catch_signals();

/// Throws std::runtime_error after one of these signals.
void fail_if_interrupted();

}  // namespace slipway::bench
