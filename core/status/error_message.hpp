// Shortens and wraps the messages of the error files that PyTorch programs write, which can be
// pages long. Semantics: TorchX's `AppStatus.format`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// Returns the part of an error message that explains the failure. If the message contains a remote
/// error, a block of this form, keeps the whole block and drops the text around it:
///
///     RuntimeError('On WorkerInfo(id=1, name=trainer1):
///     ValueError: no data
///     ')
///
/// Then, if a nonempty line is followed by a line that starts with `Exception`, as in PyTorch's
/// `Exception raised from ...` before a C++ stack trace, keeps only the nonempty line; the first
/// such pair counts. Returns any other message unchanged.
std::string reduce_error_message(std::string_view message);

/// Breaks the message at the first space that is at least `width` characters (code points, not
/// bytes) after the start or the previous break, and drops that space. A line break of the message
/// stays inside the returned text, and does not restart the count. Returns at least one text and
/// never breaks a word.
std::vector<std::string> wrap_error_message(std::string_view message, std::size_t width = 80);

}  // namespace slipway
