#include "core/cli/completion/completion_command.hpp"

#include <unistd.h>

#include <exception>
#include <string_view>

#include "core/cli/completion/bash_line.hpp"
#include "core/cli/completion/completion.hpp"
#include "core/cli/completion/completion_scripts.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/spec/problem.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

// A prompt that does not come back is worse than a word that is not completed.
constexpr unsigned kPatienceS = 10;

std::string bash_answer(const std::string& text, const std::string& breaks) {
  const BashLine line = parse_bash_line(text, breaks);
  std::string out;
  for (const Candidate& candidate : complete(line.words, line.current))
    out += bash_reply(line, candidate.text) + "\n";
  return out;
}

std::string words_answer(std::vector<std::string> words) {
  std::string current;
  if (!words.empty()) {
    current = words.back();
    words.pop_back();
  }
  std::string out;
  for (const Candidate& candidate : complete(words, current)) {
    const std::string help = candidate.help.substr(0, candidate.help.find('\n'));
    out += candidate.text + (help.empty() ? "" : "\t" + visible_line(help)) + "\n";
  }
  return out;
}

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

int answer_completion(const std::vector<std::string>& arguments) {
  ::alarm(kPatienceS);
  set_log_level(LogLevel::kError);
  try {
    if (arguments.size() == 3 && arguments[0] == "bash")
      write_output(bash_answer(arguments[1], arguments[2]));
    else if (!arguments.empty() && arguments[0] == "words")
      write_output(words_answer({arguments.begin() + 1, arguments.end()}));
  } catch (const std::exception&) {
    // nobody reads the answer any more
  }
  return kExitOk;
}

}  // namespace slipway::cli
