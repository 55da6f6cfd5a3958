#include "core/cli/output/run_opts_text.hpp"

#include <string_view>

#include "sdk/support/value_text.hpp"
#include "slipway/lines.hpp"

namespace slipway::cli {

namespace {

/// Returns whether people can read `text` without quotes.
bool is_readable_unquoted(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == '"')
    return false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return false;
  }
  return true;
}

/// Returns a default as run_opts_text() prints it. A number with a fraction is not JSON, because
/// Boost.JSON writes 0.5 as 5E-1.
std::string default_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value); text && is_readable_unquoted(*text))
    return *text;
  const ValueType type = type_of(value);
  return type == ValueType::kFloat ? to_text(value) : json_text(value);
}

/// Returns the lines of `help`, all with the same indentation. The lines may have the indentation
/// of the plug-in's source text, which has no meaning here.
std::string indented(std::string_view help) {
  std::string out;
  for (const std::string_view source_line : split_lines(help)) {
    const std::string_view line = trimmed(source_line);
    if (line.empty()) continue;
    out.append("      ").append(line).append("\n");
  }
  return out;
}

void append(const RunOpt& option, std::string& out) {
  out += "  " + option.name + " (" + to_string(option.type);
  if (option.required) {
    out += ", required";
  } else if (type_of(option.default_value) != ValueType::kNone) {
    out += ", default " + default_text(option.default_value);
  }
  out += ")\n" + indented(option.help);
}

}  // namespace

std::string run_opts_text(const std::string& scheduler, const RunOpts& options) {
  std::string out = scheduler + "\n";
  for (const bool required : {true, false}) {
    for (const RunOpt& option : options) {
      if (option.required == required) append(option, out);
    }
  }
  return out;
}

}  // namespace slipway::cli
