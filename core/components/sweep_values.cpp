#include "core/components/sweep_values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/components/argument_value.hpp"
#include "core/components/filter.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

using spec::Node;
using spec::NodeType;

/// Adds `value` to `out`. Throws Error(kUsage) if `out` already has it.
void add_once(StrList& out, std::string value) {
  if (std::find(out.begin(), out.end(), value) != out.end())
    throw Error(Code::kUsage, "the value " + spec::quoted(value) + " is given twice");
  out.push_back(std::move(value));
}

/// Reads the values of a text from left to right.
class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : rest_(text) {}

  StrList read() {
    do {
      read_one();
    } while (skip_comma());
    return std::move(out_);
  }

 private:
  void read_one() {
    if (!rest_.empty() && (rest_.front() == '"' || rest_.front() == '\'')) return read_quoted();
    const std::string_view value = rest_.substr(0, rest_.find(','));
    rest_.remove_prefix(value.size());
    if (value.empty()) throw Error(Code::kUsage, "a value is empty; write '' for an empty text");
    if (!add_range(value)) add_once(out_, std::string(value));
  }

  void read_quoted() {
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) throw Error(Code::kUsage, "a quotation mark is not closed");
    add_once(out_, std::string(rest_.substr(1, end - 1)));
    rest_.remove_prefix(end + 1);
    if (!rest_.empty() && rest_.front() != ',')
      throw Error(Code::kUsage, "a comma must follow a quoted value");
  }

  /// Adds the numbers of FIRST..LAST. Returns false for any other text.
  bool add_range(std::string_view value) {
    const std::size_t dots = value.find("..");
    if (dots == std::string_view::npos) return false;
    const auto first = plain_number<std::int32_t>(value.substr(0, dots));
    const auto last = plain_number<std::int32_t>(value.substr(dots + 2));
    if (!first || !last) return false;
    const std::int64_t step = *first <= *last ? 1 : -1;
    if ((std::int64_t{*last} - *first) * step >= static_cast<std::int64_t>(kMostSweptApps))
      throw Error(Code::kUsage, fmt::format("{} is more than {} values", value, kMostSweptApps));
    for (std::int64_t number = *first;; number += step) {
      add_once(out_, std::to_string(number));
      if (number == *last) return true;
    }
  }

  /// Skips the comma before the next value. Returns false at the end of the text.
  bool skip_comma() {
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  StrList out_;
};

/// Returns the node's value, or nullopt for lists, tables and dates.
std::optional<Value> scalar_of(const Node& node) {
  switch (node.type) {
    case NodeType::kString: return Value(node.text);
    case NodeType::kInt: return Value(node.integer);
    case NodeType::kFloat: return Value(node.real);
    case NodeType::kBool: return Value(node.boolean);
    default: return std::nullopt;
  }
}

/// Reads the values of one parameter.
class SweptParamReader {
 public:
  SweptParamReader(const ComponentParam& param, const spec::KeyPath& path,
                   spec::FieldReader& reader)
      : param_(param), path_(path), reader_(reader) {}

  SweptParam read(const Node& node) {
    if (node.type == NodeType::kString) {
      read_text(node);
    } else if (node.type != NodeType::kList) {
      reader_.wrong_type(node, path_, "a list of values", R"(write [0.1, 0.01], or "1..5")");
    } else if (node.items.empty()) {
      reader_.error(node.at, path_, "there is no value");
    } else {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        read_item(node.items[i], spec::KeyPath(path_, i));
    }
    return std::move(out_);
  }

 private:
  void read_text(const Node& node) {
    try {
      out_.values = swept_values(node.text);
      for (const std::string& value : out_.values) value_of_text(param_.type, value);
    } catch (const Error& error) {
      reader_.error(node.at, path_, error.message(), error.hint());
    }
  }

  void read_item(const Node& item, const spec::KeyPath& path) {
    const std::optional<Value> value = scalar_of(item);
    if (!value) {
      const char* const form = holds_many(param_.type) ? " as one text" : "";
      return reader_.wrong_type(item, path, std::string(described(param_.type)) + form);
    }
    try {
      value_of_type(param_.type, *value);
      add_once(out_.values, to_text(*value));
    } catch (const Error& error) {
      reader_.error(item.at, path, error.message(), error.hint());
    }
  }

  const ComponentParam& param_;
  const spec::KeyPath& path_;
  spec::FieldReader& reader_;
  SweptParam out_{param_.name, {}};
};

/// Returns the value as `-P` reads it. A value that needs quotes and has both kinds of them cannot
/// be given with `-P`.
std::string sweep_value(const std::string& value) {
  const bool needs_quotes = value.empty() || value.front() == '\'' || value.front() == '"' ||
                            value.find(',') != std::string::npos ||
                            value.find("..") != std::string::npos;
  const char quote = value.find('\'') == std::string::npos ? '\'' : '"';
  return needs_quotes ? quote + value + quote : value;
}

}  // namespace

StrList swept_values(std::string_view text) { return ValueReader(text).read(); }

std::string sweep_word(const SweptParam& param) {
  constexpr std::size_t kMaxWords = 8;
  const StrList first_values(
      param.values.begin(),
      param.values.begin() + static_cast<std::ptrdiff_t>(std::min(kMaxWords, param.values.size())));
  const std::string out = param.name + "=" + joined(first_values, ",", sweep_value);
  if (first_values.size() == param.values.size()) return out;
  return fmt::format("{},… ({} values)", out, param.values.size());
}

std::vector<SweptParam> read_sweep(Node& table, const spec::KeyPath& path,
                                   const std::vector<ComponentParam>& params,
                                   spec::FieldReader& reader) {
  std::vector<SweptParam> out;
  if (!reader.table(table, path)) return out;
  std::vector<std::string> names;
  for (const ComponentParam& param : params) names.push_back(param.name);
  for (const spec::NodeEntry& entry : table.entries) {
    const spec::KeyPath here(path, entry.key);
    const auto param = std::find_if(params.begin(), params.end(), [&](const ComponentParam& one) {
      return one.name == entry.key;
    });
    if (param != params.end()) {
      out.push_back(SweptParamReader(*param, here, reader).read(entry.value));
    } else {
      const std::string near = spec::did_you_mean(entry.key, names);
      reader.error(entry.key_at, here, "there is no parameter " + spec::quoted(entry.key),
                   near.empty() && !names.empty() ? "the parameters are " + joined(names) : near);
    }
  }
  return out;
}

}  // namespace slipway::components
