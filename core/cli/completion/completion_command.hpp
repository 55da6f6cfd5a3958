// `completion SHELL`, and the hidden command behind the scripts that it prints.
#pragma once

#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"

namespace slipway::cli {

struct CompletionCommand {
  std::string shell;
};
/// Writes the script of a shell to standard output. Throws Error kUsage for one that it has none
/// for.
int completion(Invocation& invocation, const CompletionCommand& command);

/// What scripts call: `__complete bash LINE WORDBREAKS`, with the line up to the cursor, writes a
/// line for each word as COMPREPLY takes it; `__complete words WORD...`, the last word being the
/// one at the cursor and the command's name not among them, writes WORD, a tab and what is known
/// about it.
inline constexpr const char* kCompleteWord = "__complete";
/// `arguments` behind kCompleteWord. Says nothing and returns 0, whatever they are; a process that
/// takes several seconds, for a file system that does not answer, is ended by SIGALRM.
int answer_completion(const std::vector<std::string>& arguments);

}  // namespace slipway::cli
