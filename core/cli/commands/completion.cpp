// `completion SHELL`: prints the script that makes a shell complete words of `slipway`. The scripts
// call `slipway __complete`, which core/cli/completion answers.
#include <string_view>

#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

// A candidate that ends in one of `=/:,.` is the start of a longer word. The scripts for bash and
// zsh let the shell append no space to it; fish appends none by itself.
constexpr std::string_view kBashScript = R"(# Completion of slipway for bash 4.4 and newer:
#   source <(slipway completion bash)
_slipway_complete() {
  local line=${COMP_LINE:0:COMP_POINT}
  mapfile -t COMPREPLY < <(command slipway __complete bash "$line" "$COMP_WORDBREAKS" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/:,.] ]]; then
    compopt -o nospace
  fi
}
complete -F _slipway_complete slipway
)";

constexpr std::string_view kZshScript = R"(#compdef slipway
# Completion of slipway for zsh, as a file _slipway in a directory of $fpath, or:
#   source <(slipway completion zsh)
_slipway() {
  local line word tab=$'\t'
  local -a open whole texts
  for line in "${(@f)$(command slipway __complete words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    word=${line%%$tab*}
    [[ -n $word ]] || continue
    if [[ $word == *[=/:,.] ]]; then
      open+=("$word")
    else
      whole+=("$word")
      texts+=("${line/$tab/  }")
    fi
  done
  (( ${#open} )) && compadd -S '' -- "${open[@]}"
  (( ${#whole} )) && compadd -l -d texts -- "${whole[@]}"
  return 0
}
if [[ $funcstack[1] == _slipway ]]; then
  _slipway "$@"
else
  compdef _slipway slipway
fi
)";

constexpr std::string_view kFishScript =
    R"(# Completion of slipway for fish, as ~/.config/fish/completions/slipway.fish, or:
#   slipway completion fish | source
function __slipway_complete
    set -l words (commandline -opc) (commandline -ct)
    command slipway __complete words $words[2..-1] 2>/dev/null
end
complete -c slipway -f -a '(__slipway_complete)'
)";

}  // namespace

int completion(Invocation&, const CompletionCommand& command) {
  if (command.shell == "bash") {
    write_bytes(kBashScript);
  } else if (command.shell == "zsh") {
    write_bytes(kZshScript);
  } else if (command.shell == "fish") {
    write_bytes(kFishScript);
  } else {
    throw Error(Code::kUsage, "there is no completion for " + spec::quoted(command.shell),
                "there is one for bash, zsh and fish");
  }
  return kExitOk;
}

}  // namespace slipway::cli
