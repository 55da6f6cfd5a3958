// Answers the completion scripts of shells, which `slipway completion SHELL` prints.
#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

/// The first argument with which a completion script calls `slipway`.
inline constexpr const char* kCompleteWord = "__complete";

/// Prints candidates for the word at the cursor. `arguments` follow kCompleteWord:
/// - `bash LINE WORDBREAKS`, with the line up to the cursor and COMP_WORDBREAKS: prints a line for
///   each candidate, as COMPREPLY takes it.
/// - `words WORD...`, the words after `slipway`, the last one at the cursor: prints a line with
///   each candidate and, if it has a description, a tab and that.
///
/// Returns 0 and prints no message, whatever the arguments are. SIGALRM ends the process after ten
/// seconds, for example when a file system does not answer.
int answer_completion(const std::vector<std::string>& arguments);

}  // namespace slipway::cli
