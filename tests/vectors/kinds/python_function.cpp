#include "tests/vectors/kinds/python_function.hpp"

#include <sstream>
#include <string_view>
#include <vector>

#include "tests/vectors/kinds/component_info.hpp"

namespace slipway::vectors {
namespace {

constexpr std::string_view kQuotes = "\"\"\"";

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \n");
  return from == std::string::npos ? ""
                                   : text.substr(from, text.find_last_not_of(" \n") - from + 1);
}

// Returns the parts of `text` from `from` to the bracket that closes the one before it, split at
// commas outside brackets and quotes.
std::vector<std::string> parameters(const std::string& text, std::size_t from) {
  std::vector<std::string> out = {""};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ')' || c == ']') && depth-- == 0) break;
    if (!quoted && (c == '(' || c == '[')) ++depth;
    if (!quoted && depth == 0 && c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (trimmed(out.back()).empty()) out.pop_back();
  return out;
}

Value literal(const std::string& text) {
  if (text == "None") return {};
  if (text == "True" || text == "False") return text == "True";
  // The other literals of the vectors are also valid JSON.
  return to_value(json::parse(text));
}

ComponentParam parameter(const std::string& text) {
  ComponentParam out;
  const std::size_t equals = text.find(" = ");
  const std::string declared = trimmed(text.substr(0, equals));
  const std::size_t colon = declared.find(':');
  if (colon == std::string::npos) throw BenchError("a parameter without a type: " + text);
  out.name = declared.substr(0, colon);
  out.type = type_of_annotation(trimmed(declared.substr(colon + 1)));
  if (out.name.front() == '*') {
    out.name.erase(0, 1);
    out.variadic = true;
    out.type = ValueType::kList;
  }
  out.required = equals == std::string::npos && !out.variadic;
  if (equals != std::string::npos) out.default_value = literal(trimmed(text.substr(equals + 3)));
  return out;
}

void read_docstring(const std::string& text, ComponentInfo& info) {
  std::istringstream lines(text);
  bool args = false;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line == "Args:") {
      args = true;
    } else if (!args) {
      info.help += line + "\n";
    } else if (const std::size_t colon = line.find(':'); colon != std::string::npos) {
      for (ComponentParam& param : info.params) {
        if (param.name == line.substr(0, colon)) param.help = trimmed(line.substr(colon + 1));
      }
    }
  }
  info.help = trimmed(info.help);
}

}  // namespace

ComponentInfo read_python_function(const std::string& source) {
  ComponentInfo info;
  const std::size_t name = source.find("def ") + 4;
  const std::size_t open = source.find('(', name);
  if (source.compare(0, 4, "def ") != 0 || open == std::string::npos)
    throw BenchError("no function: " + source);
  info.name = source.substr(name, open - name);
  for (const std::string& one : parameters(source, open + 1)) info.params.push_back(parameter(one));
  const std::size_t doc = source.find(kQuotes);
  if (doc == std::string::npos) return info;
  const std::size_t from = doc + kQuotes.size();
  read_docstring(source.substr(from, source.find(kQuotes, from) - from), info);
  return info;
}

}  // namespace slipway::vectors
