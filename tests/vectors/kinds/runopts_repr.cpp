// The help of an option set. Compares the facts in the two texts: the options in their order, their
// types, whether they are required, their defaults, and their help without line breaks.

#include <cstdlib>
#include <sstream>

#include "core/cli/output/run_opts_text.hpp"
#include "core/spec/node.hpp"
#include "sdk/support/python_numbers.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {
namespace {

/// Returns the words of a text, separated by one blank.
std::string words(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string python_quoted(std::string_view text) {
  const bool single = text.find('\'') == std::string_view::npos;
  const char quote = single || text.find('"') != std::string_view::npos ? '\'' : '"';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == quote || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
  return out + quote;
}

/// Converts a default from Slipway's notation to Python's.
std::string python_text(const std::string& type, const std::string& ours) {
  if (type == "bool") return ours == "true" ? "True" : "False";
  if (type == "float") return float_text(std::strtod(ours.c_str(), nullptr));
  if (type == "str")
    return ours.front() == '"' ? json::value_to<std::string>(json::parse(ours)) : ours;
  if (type != "list" && type != "dict") return ours;
  const json::value value = json::parse(ours);
  std::string out;
  const auto separate = [&] { out += out.empty() ? "" : ", "; };
  if (value.is_array()) {
    for (const std::string& item : texts(value)) {
      separate();
      out += python_quoted(item);
    }
    return "[" + out + "]";
  }
  for (const auto& entry : value.as_object()) {
    separate();
    out += python_quoted(entry.key()) + ": " +
           python_quoted(std::string_view(entry.value().as_string()));
  }
  return "{" + out + "}";
}

json::object fact(const std::string& name, const std::string& type, bool required,
                  const json::value& given) {
  return {{"name", name}, {"type", type}, {"required", required}, {"default", given}, {"help", ""}};
}

void add_help(json::array& facts, const std::string& line) {
  if (facts.empty()) throw BenchError("help before the first option: " + line);
  json::value& help = facts.back().as_object()["help"];
  help = words(json::value_to<std::string>(help) + " " + line);
}

/// Reads `  NAME (TYPE)`, `  NAME (TYPE, required)` or `  NAME (TYPE, default VALUE)`, and help
/// indented by six.
json::array slipway_facts(const std::string& text) {
  json::array out;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);  // the scheduler
  while (std::getline(in, line)) {
    if (line.compare(0, 6, "      ") == 0) {
      add_help(out, line);
      continue;
    }
    const std::size_t open = line.find(" (", 2);
    const std::string inner = line.substr(open + 2, line.size() - open - 3);
    const std::size_t comma = inner.find(", ");
    const std::string type = inner.substr(0, comma);
    const std::string rest = comma == std::string::npos ? "" : inner.substr(comma + 2);
    const bool required = rest == "required";
    json::value given = "None";
    if (required) given = nullptr;
    constexpr std::string_view kDefault = "default ";
    if (rest.compare(0, kDefault.size(), kDefault) == 0)
      given = json::value(python_text(type, rest.substr(kDefault.size())));
    out.push_back(fact(line.substr(2, open - 2), type, required, given));
  }
  return out;
}

std::string slipway_type(const std::string& theirs) {
  if (theirs == "typing.List[str]") return "list";
  if (theirs == "typing.Dict[str, str]") return "dict";
  return theirs;
}

/// Reads `        NAME=META (TYPE, DEFAULT)` below a line that says whether it is required, and its
/// help. The default of a list may contain blanks and commas. A type may contain one comma, inside
/// brackets.
json::array torchx_facts(const std::string& text) {
  json::array out;
  std::istringstream in(text);
  bool required = false;
  bool is_past_usage = false;
  for (std::string line; std::getline(in, line);) {
    const std::string all = words(line);
    if (all == "required arguments:" || all == "optional arguments:") {
      required = all[0] == 'r';
      is_past_usage = true;
    } else if (is_past_usage && line.compare(0, 8, "        ") == 0 && line.size() > 8 &&
               line[8] != ' ') {
      const std::string name = line.substr(8, line.find('=') - 8);
      const std::size_t open = line.find(" (");
      const std::string inner = line.substr(open + 2, line.size() - open - 3);
      const std::size_t brackets = inner.compare(0, 7, "typing.") == 0 ? inner.find(']') : 0;
      const std::size_t comma = inner.find(", ", brackets);
      json::value given = nullptr;
      if (!required) given = inner.substr(comma + 2);
      out.push_back(fact(name, slipway_type(inner.substr(0, comma)), required, given));
    } else if (is_past_usage) {
      add_help(out, line);
    }
  }
  return out;
}

}  // namespace

json::value run_runopts_repr(VectorCase& one, Bench&) {
  if (one.expected) one.expected = torchx_facts(json::value_to<std::string>(*one.expected));
  return slipway_facts(cli::run_opts_text("case", declared_options(one)));
}

}  // namespace slipway::vectors
