// Parses a text that contains `{{…}}`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/components/filter.hpp"

namespace slipway::components {

/// The content of `{{…}}`: a parameter or a quoted text, and filters.
struct Expression {
  std::string param;                ///< the parameter; empty if the content is a quoted text
  std::optional<std::string> text;  ///< the quoted text; nullopt if the content is a parameter
  std::vector<Filter> filters;
};

/// Either plain text or an expression.
struct TemplatePart {
  std::string text;
  std::optional<Expression> expression;
};

/// Returns the parts in order. A text without `{{` is one part; an empty text has none.
///
///     expression := (NAME | STRING) { "|" NAME [ "(" STRING { "," STRING } ")" ] }
///
/// A NAME has letters, digits, `_`, `-` and `.` (which no known name has). A STRING is quoted with
/// ' or " and has no escapes. Blanks and newlines may stand before and after each of them.
/// `{{ '{{' }}` gives two braces; `}}` alone and `${macros}` are plain text. Throws Error(kInvalid)
/// that shows the offending place.
std::vector<TemplatePart> parse_template(std::string_view text);

/// Returns whether the text is exactly one expression.
bool is_whole_expression(const std::vector<TemplatePart>& parts);

}  // namespace slipway::components
