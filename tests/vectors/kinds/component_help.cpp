// The help of a component. Compares the facts that both texts contain: the component's help, and
// for every parameter its spellings, type, help, default, and whether it is required.
//
// TorchX's text lacks some facts, which are not compared: bool, list and dict are all `str`; only
// parameters with help show their default; the variadic parameter has no name. A component without
// a docstring gets a tip. Built-in components (given by name, not by source) have Slipway's own
// help texts; only their existence is compared.

#include "core/components/component_help.hpp"

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/components/component_book.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/python_component.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {
namespace {

std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// The blocks of a help text: usage, help, and lists of parameters below a heading that ends in a
// colon.
struct Blocks {
  std::string usage;
  std::string help;
  std::vector<std::string> entries;  // one parameter per entry, with its lines joined
};

Blocks blocks_of(const std::string& text) {
  Blocks out;
  std::istringstream lines(text);
  enum { kUsage, kHelp, kEntries } part = kUsage;
  for (std::string line; std::getline(lines, line);) {
    if (line == "options:" || line == "positional arguments:" || line == "parameters:") {
      part = kEntries;
    } else if (part == kUsage && line.empty()) {
      part = kHelp;
    } else if (part == kUsage) {
      out.usage += line + "\n";
    } else if (part == kHelp) {
      out.help += line + "\n";
    } else if (starts_with(line, "   ")) {
      out.entries.back() += "  " + words_of(line) + " ";
    } else if (!line.empty()) {
      out.entries.push_back(line.substr(2));
    }
  }
  return out;
}

// Removes "(NAME…)" from the end of a help text and returns the text after NAME.
std::optional<std::string> take_suffix(std::string& help, std::string_view name) {
  const std::size_t at = help.rfind("(" + std::string(name));
  if (at == std::string::npos || help.back() != ')') return std::nullopt;
  std::string out = help.substr(at + 1 + name.size(), help.size() - at - 2 - name.size());
  help = words_of(help.substr(0, at));
  return words_of(out);
}

// "-n int, --n int  text (default: 3)"
json::object parameter(const std::string& entry, const std::string& usage) {
  json::object out;
  const std::size_t gap = entry.find("  ");
  std::string forms = entry.substr(0, gap);
  std::string help = gap == std::string::npos ? "" : words_of(entry.substr(gap));
  json::array spellings;
  std::string type;
  std::istringstream words(forms);
  for (std::string word; words >> word;) {
    if (word.back() == ',') word.pop_back();
    if (starts_with(word, "-")) {
      spellings.push_back(json::value(word));
    } else {
      type = word;
    }
  }
  const bool required = take_suffix(help, "required").has_value();
  if (auto given = take_suffix(help, "default:"); given && *given != "None")
    out["default"] = *given == "False" ? "false" : *given == "True" ? "true" : *given;
  out["help"] = help;
  if (spellings.empty()) return out;  // the variadic parameter
  const std::string last(std::string_view(spellings.back().get_string()));
  const std::string first(std::string_view(spellings.front().get_string()));
  const bool optional = usage.find("[" + last + " ") != std::string::npos ||
                        usage.find("[" + first + " ") != std::string::npos;
  if (required && optional) throw BenchError(last + " is required and optional");
  out["required"] = !optional;
  out["spellings"] = std::move(spellings);
  out["type"] = type == "int" || type == "float" ? type : "str";
  return out;
}

json::object facts_of(const std::string& text) {
  const Blocks blocks = blocks_of(text);
  json::object params;
  for (const std::string& entry : blocks.entries) {
    if (starts_with(entry, "--help")) continue;
    json::object one = parameter(entry, blocks.usage);
    const json::value* spellings = one.if_contains("spellings");
    const std::string name =
        spellings == nullptr
            ? "variadic"
            : std::string(std::string_view(spellings->get_array().back().get_string()));
    params[name] = std::move(one);
  }
  return {{"help", words_of(without_tip(blocks.help))}, {"params", std::move(params)}};
}

// Replaces each help text by true if it has one, otherwise false.
void blur_help(json::object& facts) {
  facts["help"] = !facts["help"].as_string().empty();
  for (auto& param : facts["params"].as_object()) {
    json::object& one = param.value().as_object();
    one["help"] = !one["help"].as_string().empty();
  }
}

}  // namespace

json::value run_component_help(VectorCase& one, Bench& bench) {
  const json::value* name = one.input.if_contains("component");
  ComponentInfo info;
  if (name != nullptr) {
    components::ComponentBook book(bench.host());
    info = book.find(text_member(one.input, "component")).info;
  } else {
    info = PythonComponent(bench, text_member(one.input, "source"))
               .info(text_member(one.input, "function"));
  }
  json::object got = facts_of(components::help_text(info, "slipway run"));
  if (!one.expected) return got;
  const json::value text =
      replaced(*one.expected, {{"ghcr.io/pytorch/torchx:<VERSION>", builtins::kDefaultImage}});
  json::object expected = facts_of(std::string(std::string_view(text.as_string())));
  for (auto& param : got["params"].as_object()) {
    json::object& ours = param.value().as_object();
    const json::value* theirs = expected["params"].as_object().if_contains(param.key());
    if (theirs != nullptr && theirs->at("help").as_string().empty()) ours.erase("default");
  }
  if (name != nullptr) {
    blur_help(expected);
    blur_help(got);
  }
  one.expected = std::move(expected);
  return got;
}

}  // namespace slipway::vectors
