#include "core/components/value_text.hpp"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "core/components/text_lists.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

[[noreturn]] void refuse(ValueType type, std::string_view text, const char* more = "") {
  throw Error(Code::kInvalid,
              "expected " + std::string(described(type)) + ", found " + spec::quoted(text) + more);
}

// The number without what std::from_chars does not know: blanks around, '+', '_' between digits.
std::string plain_number(ValueType type, std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\v\f";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) refuse(type, text);
  std::string_view number = text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
  const bool sign = number.front() == '+' || number.front() == '-';
  std::string out(number.substr(0, sign && number.front() == '-' ? 1 : 0));
  if (sign) number.remove_prefix(1);
  // "+-1" is no number, and "nan(…)" is one for from_chars alone
  if (number.empty() || number.front() == '-' || number.find('(') != std::string_view::npos)
    refuse(type, text);
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] != '_') {
      out.push_back(number[i]);
    } else if (i == 0 || i + 1 == number.size() || !is_digit(number[i - 1]) ||
               !is_digit(number[i + 1])) {
      refuse(type, text);
    }
  }
  return out;
}

template <class Number>
Number number_of(ValueType type, std::string_view text) {
  const std::string plain = plain_number(type, text);
  Number number{};
  const char* const last = plain.data() + plain.size();
  const auto [end, error] = std::from_chars(plain.data(), last, number);
  if (end == last && error == std::errc::result_out_of_range)
    refuse(type, text, ", which is out of range");
  if (end != last || error != std::errc()) refuse(type, text);
  return number;
}

}  // namespace

Value value_of_text(ValueType type, std::string_view text) {
  switch (type) {
    case ValueType::kInt: return number_of<std::int64_t>(type, text);
    case ValueType::kFloat: return number_of<double>(type, text);
    case ValueType::kBool: return lower_case(text) == "true";
    case ValueType::kList:
      if (text.empty()) return std::monostate{};
      return list_of_text(text);
    case ValueType::kDict:
      if (text.empty()) return std::monostate{};
      return dict_of_text(text);
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return std::string(text);
}

bool means_a_bool(std::string_view text) {
  const std::string word = lower_case(text);
  return word == "true" || word == "false";
}

Value value_of_type(ValueType type, Value value) {
  const ValueType given = type_of(value);
  if (given == type || given == ValueType::kNone) return value;
  if (const auto* text = std::get_if<std::string>(&value)) return value_of_text(type, *text);
  if (given == ValueType::kInt && type == ValueType::kFloat)
    return static_cast<double>(std::get<std::int64_t>(value));
  throw Error(Code::kInvalid, "expected " + std::string(described(type)) + ", found " +
                                  std::string(described(given)));
}

ValueType type_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ValueType type : {ValueType::kStr, ValueType::kInt, ValueType::kFloat,
                               ValueType::kBool, ValueType::kList, ValueType::kDict}) {
    if (name == to_string(type)) return type;
    names.emplace_back(to_string(type));
  }
  const std::string near = spec::did_you_mean(name, names);
  throw Error(Code::kInvalid, "there is no type " + spec::quoted(name),
              near.empty() ? "the types are str, int, float, bool, list and dict" : near);
}

std::string_view described(ValueType type) {
  switch (type) {
    case ValueType::kStr: return "a str";
    case ValueType::kInt: return "an int";
    case ValueType::kFloat: return "a float";
    case ValueType::kBool: return "a bool";
    case ValueType::kList: return "a list";
    case ValueType::kDict: return "a dict";
    case ValueType::kNone: break;
  }
  return "nothing";
}

}  // namespace slipway::components
