// A text with `{{…}}` in it, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/components/filter.hpp"

namespace slipway::components {

/// What stands between `{{` and `}}`: a parameter, or a text in quotes, and filters.
struct Expression {
  std::string param;                ///< empty when there is a literal
  std::optional<std::string> text;  ///< the literal
  std::vector<Filter> filters;
};

/// One of the two.
struct TemplatePart {
  std::string text;
  std::optional<Expression> expression;
};

/// The parts in their order; a text without `{{` is one part, or none when it is empty.
///
///     expression := (NAME | STRING) { "|" NAME [ "(" STRING { "," STRING } ")" ] }
///
/// A STRING stands in ' or " and has no escapes. `{{ '{{' }}` is two braces; `}}` alone needs
/// nothing, and `${macros}` mean nothing here. Throws Error kInvalid that shows the offending place.
std::vector<TemplatePart> parse_template(std::string_view text);

/// Whether the text is one expression and nothing else.
bool is_whole_expression(const std::vector<TemplatePart>& parts);

}  // namespace slipway::components
