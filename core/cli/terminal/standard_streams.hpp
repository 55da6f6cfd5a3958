// Reads and writes the standard streams.
#pragma once

#include <string>
#include <string_view>

namespace slipway::cli {

/// Opens standard descriptors that the parent process closed, so that no file of this process gets
/// their numbers. Reading and writing them still fails. Must be called before anything else is
/// opened.
void reserve_standard_streams();

/// From now on, a write to a pipe without a reader fails and does not end this process. Does not
/// change the programs that this process starts. May be called in any thread.
void survive_broken_pipes();

/// Returns standard input up to its end, and waits while a non-blocking descriptor is not ready.
/// Throws Error kInvalid for more than 64 MiB, kUnavailable when reading fails.
std::string read_standard_input();

/// Writes all of `bytes` to `fd`, and waits while a non-blocking descriptor is not ready. Returns
/// false, with errno set, when writing fails: the reader has gone, or the disk is full.
bool write_all(int fd, std::string_view bytes);

/// Writes as write_all() does, above the lines of the LiveArea if there is one.
bool write_stream(int fd, std::string_view bytes);

/// Writes a message with its newline to standard error. Starts a new line first if the output of a
/// replica did not end its line.
void write_message(const std::string& line);

/// Writes text for people to standard output, with hidden characters as escapes
/// (slipway/visible_text.hpp), whether or not it is a terminal. Throws Error kCantCreate when
/// writing fails.
void write_output(std::string_view text);

/// Writes the bytes of a program, a log or a script to standard output unchanged. Throws as
/// write_output().
void write_bytes(std::string_view bytes);

}  // namespace slipway::cli
