#include "plugins/slurm/script/sbatch_lines.hpp"

#include <optional>
#include <string_view>

namespace slipway::slurm {

namespace {

/// Returns the text as a word of an #SBATCH line, where sbatch reads double quotes and backslashes.
std::string header_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_&|*[]";
  if (text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

}  // namespace

std::string file_pattern(const std::string& path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

std::string sbatch_lines(const JobPlan& plan) {
  std::string out;
  for (const JobPart& part : plan.parts) {
    if (!out.empty()) out += "#SBATCH hetjob\n";
    const bool is_first = out.empty();
    out += "#SBATCH --job-name=" + header_word(part.name);
    for (const auto& [name, value] : part.sbatch)
      out += " " + header_word(option_text(name, value));
    out += "\n";
    if (!is_first) continue;
    // A comment of the user is the third word of the command, and has the mark.
    if (plan.command.size() < 3 || plan.command[2].compare(0, 10, "--comment=") != 0)
      out += "#SBATCH --comment=" + header_word(marked_comment(std::nullopt, plan.mark)) + "\n";
    if (plan.shape == Shape::kArray)
      out += "#SBATCH --array=0-" + std::to_string(part.count - 1) + "\n";
    out += "#SBATCH --output=" +
           header_word(file_pattern(plan.record_dir) +
                       (plan.shape == Shape::kArray ? "/job-%a.out" : "/job.out")) +
           " --open-mode=append\n";
  }
  return out;
}

}  // namespace slipway::slurm
