// Writing to the standard streams.
#pragma once

#include <string_view>

namespace slipway::cli {

/// Opens the standard descriptors that the caller closed, so that no socket or file of ours gets
/// their numbers; what is written to them still fails. Call before anything else is opened.
void reserve_standard_streams();

/// Writes all of `bytes` to `fd`, whatever it takes; a non-blocking descriptor (a terminal shared
/// with another program) is waited for. False when the other end is gone or the disk is full; errno
/// says why.
bool write_stream(int fd, std::string_view bytes);

/// Writes text for people to standard output, with hidden characters as escapes
/// (slipway/visible_text.hpp), on a terminal or not. Throws Error kCantCreate when it cannot be
/// written; nothing is lost silently.
void write_output(std::string_view text);

/// Writes the bytes of a program, a log or a script to standard output as they are. Throws as
/// write_output().
void write_bytes(std::string_view bytes);

}  // namespace slipway::cli
