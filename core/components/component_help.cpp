#include "core/components/component_help.hpp"

#include <vector>

#include "core/components/argument_words.hpp"
#include "core/components/filter.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/value_text.hpp"

namespace slipway::components {
namespace {

constexpr std::size_t kColumns = 100;
// The column where the help of each parameter starts, after its spellings.
constexpr std::size_t kHelpColumn = 28;

// Appends words in lines of at most kColumns; indents each line after the first by `indent` blanks.
class Lines {
 public:
  Lines(std::string& out, std::size_t indent) : out_(out), indent_(indent) {
    const std::size_t line_start = out_.find_last_of('\n') + 1;
    column_ = out_.size() - line_start;
  }

  void add(std::string_view word) {
    if (column_ > indent_ && column_ + 1 + word.size() > kColumns) {
      out_ += '\n';
      column_ = 0;
    }
    if (column_ < indent_) {
      out_.append(indent_ - column_, ' ');
      column_ = indent_;
    } else if (!out_.empty() && out_.back() != ' ') {
      out_ += ' ';
      ++column_;
    }
    out_ += word;
    column_ += word.size();
  }

  void add_words(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find_first_of(" \t\n");
      if (end != 0) add(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

 private:
  std::string& out_;
  std::size_t indent_;
  std::size_t column_ = 0;
};

// Returns the spellings and the type of an option: "-n, --num int".
std::string spellings(const ComponentParam& param) {
  if (param.variadic) return param.name + "...";
  std::string out;
  if (const char letter = short_letter(param); letter != 0) out = std::string("-") + letter + ", ";
  return out + option_name(param) + " " + to_string(param.type);
}

std::string usage_word(const ComponentParam& param) {
  const std::string word = param.variadic ? "[--] " + param.name + "..."
                                          : option_name(param) + " " + to_string(param.type);
  return param.required ? word : "[" + word + "]";
}

void add_param(const ComponentParam& param, std::string& out) {
  std::string line = "  " + spellings(param);
  if (line.size() + 2 > kHelpColumn) line += '\n';
  const std::size_t from = out.size();
  out += line;
  Lines lines(out, kHelpColumn);
  lines.add_words(param.help);
  const std::string default_word = default_text(param.default_value);
  if (param.required) {
    lines.add("(required)");
  } else if (!default_word.empty()) {
    lines.add("(default:");
    lines.add(default_word + ")");
  }
  // Removes the line break after a long name without help.
  while (out.size() > from && out.back() == '\n') out.pop_back();
  out += '\n';
}

}  // namespace

std::string help_text(const ComponentInfo& info, std::string_view command,
                      const std::vector<SweptParam>& sweep) {
  const std::string start = "usage: " + std::string(command) + " " + info.name;
  std::string out = start;
  {
    // Further lines start below [--help], unless a long name leaves too little space.
    Lines lines(out, start.size() + 1 < kColumns / 2 ? start.size() + 1 : 4);
    lines.add("[--help]");
    for (const ComponentParam& param : info.params) lines.add(usage_word(param));
  }
  out += '\n';
  if (!info.help.empty()) {
    out += "\n" + info.help;
    if (out.back() != '\n') out += '\n';
  }
  if (info.params.empty()) return out;
  out += "\nparameters:\n";
  for (const ComponentParam& param : info.params) add_param(param, out);
  if (sweep.empty()) return out;
  out += "\nwith --sweep:\n";
  Lines lines(out, 2);
  for (const SweptParam& param : sweep) lines.add(sweep_word(param));
  return out + '\n';
}

std::string default_text(const Value& value) {
  if (const auto* list = std::get_if<StrList>(&value)) return joined(*list, ",");
  if (const auto* dict = std::get_if<StrDict>(&value)) {
    return joined(*dict, ",", [](const auto& item) { return item.first + "=" + item.second; });
  }
  return to_text(value);
}

}  // namespace slipway::components
