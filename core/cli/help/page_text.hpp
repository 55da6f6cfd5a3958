// Pages of the documentation as text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway::cli {

/// Returns Markdown as text with lines of at most `width` characters, unless words, tables or
/// blocks of code need more. Reads what the pages in core/docs use: headings, paragraphs, lists,
/// tables, indented code, emphasis, links and comments. Leaves out comments, the asterisks of
/// emphasis, the targets of links, and links that stand alone in parentheses.
std::string page_text(std::string_view markdown, std::size_t width);

}  // namespace slipway::cli
