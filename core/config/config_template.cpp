#include "core/config/config_template.hpp"

#include "core/spec/toml_text.hpp"
#include "slipway/lines.hpp"

namespace slipway::config {

namespace {

constexpr const char* kFileHeader =
    "# Configuration of Slipway for this directory and those below it. Nothing is set yet. The "
    "values\n"
    "# are the built-in defaults; an option without a default is shown as `NAME =`. To set an "
    "option,\n"
    "# remove the `# ` and change the value. `slipway config show` prints the values in force.\n";

// Returns a help text as comment lines, without the indentation and empty lines of the text.
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

std::string setting_line(const std::string& name, const Value& default_value) {
  const std::string text = spec::toml_text(default_value);
  return "# " + spec::toml_key(name) + " =" + (text.empty() ? "" : " " + text) + "\n";
}

std::string option_text(const RunOpt& option) {
  const bool has_default = type_of(option.default_value) != ValueType::kNone;
  const char* const fact = option.required ? ", required" : has_default ? "" : ", no default";
  return "\n" + comment(option.help) + "# (" + std::string(to_string(option.type)) + fact + ")\n" +
         setting_line(option.name, option.default_value);
}

}  // namespace

std::string config_template(const std::vector<CommandOption>& commands,
                            const Dict<RunOpts>& schedulers) {
  std::string out = kFileHeader;
  const std::string* table = nullptr;
  for (const CommandOption& option : commands) {
    // The name is not quoted as a key, because the dots of `plugin.list` separate tables.
    if (table == nullptr || *table != option.key.name)
      out += "\n[cli" + (option.key.name.empty() ? "" : "." + option.key.name) + "]\n";
    table = &option.key.name;
    out += "\n" + comment(option.help) + setting_line(option.key.option, option.default_value);
  }
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
