#include "core/config/config_template.hpp"

#include "core/spec/toml_text.hpp"
#include "slipway/lines.hpp"

namespace slipway::config {

namespace {

constexpr const char* kHead =
    "# Configuration of Slipway for this directory and those below it. Nothing is set yet: take "
    "the\n"
    "# `# ` off a line to set an option. `slipway config show` prints what is in force.\n"
    "\n"
    "[cli.run]\n"
    "# Where `slipway run` runs apps\n"
    "# scheduler = ";

// Returns a help text as comment lines. It may have several lines, with indentation.
std::string comment(const std::string& text) {
  std::string out;
  std::string line;
  const auto flush = [&] {
    if (const std::string_view text_of_line = trimmed(line); !text_of_line.empty())
      out.append("# ").append(text_of_line).append("\n");
    line.clear();
  };
  for (const char c : text) {
    if (c == '\n') {
      flush();
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      line.push_back(c);
    } else {
      line.push_back(' ');
    }
  }
  flush();
  return out;
}

const char* example(ValueType type) {
  switch (type) {
    case ValueType::kInt: return "0";
    case ValueType::kFloat: return "0.0";
    case ValueType::kBool: return "false";
    case ValueType::kList: return "[]";
    case ValueType::kDict: return "{}";
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return "\"\"";
}

std::string option_text(const RunOpt& option) {
  const std::string given = spec::toml_text(option.default_value);
  const std::string facts = std::string(to_string(option.type)) + (option.required ? ", required"
                                                                   : given.empty() ? ", no default"
                                                                                   : "");
  return "\n" + comment(option.help) + "# (" + facts + ")\n# " + spec::toml_key(option.name) +
         " = " + (given.empty() ? example(option.type) : given) + "\n";
}

}  // namespace

std::string config_template(const Dict<RunOpts>& schedulers) {
  std::string out = kHead;
  out +=
      spec::toml_text(Value(schedulers.empty() ? std::string() : schedulers.front().first)) + "\n";
  for (const auto& [name, options] : schedulers) {
    out += "\n[scheduler." + spec::toml_key(name) + "]\n";
    for (const bool required : {true, false}) {
      for (const RunOpt& option : options) {
        if (option.required == required) out += option_text(option);
      }
    }
  }
  return out;
}

}  // namespace slipway::config
