#include "core/cli/help/page_text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "sdk/support/ascii_case.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/lines.hpp"

namespace slipway::cli {

namespace {

using Row = std::vector<std::string>;

/// Returns the number of characters, which is the width if every character has a width of one.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_utf8(c); }));
}

/// Returns the end of the link `[text](target)` that starts at `from`, and sets `text`. Returns
/// npos if none starts there. The text may contain pairs of brackets.
std::size_t link_end(std::string_view line, std::size_t from, std::string_view& text) {
  if (line[from] != '[') return std::string_view::npos;
  std::size_t close = from;
  for (int open = 1; open > 0; open += line[close] == '[' ? 1 : -1) {
    close = line.find_first_of("[]", close + 1);
    if (close == std::string_view::npos) return close;
  }
  if (line.substr(close + 1, 1) != "(") return std::string_view::npos;
  text = line.substr(from + 1, close - from - 1);
  const std::size_t end = line.find(')', close);
  return end == std::string_view::npos ? end : end + 1;
}

/// Returns a line without the Markdown of links and emphasis. Code keeps its backticks.
std::string plain(std::string_view line) {
  std::string out;
  bool is_code = false;
  for (std::size_t i = 0; i < line.size();) {
    std::string_view text;
    if (line[i] == '`') is_code = !is_code;
    if (line[i] == '\\' && line.substr(i, 2) == "\\|") ++i;  // `|` in a cell of a table
    if (is_code || (line[i] != '(' && line[i] != '[' && line[i] != '*')) {
      out += line[i++];
      continue;
    }
    if (line[i] == '(') {
      const std::size_t end = i + 1 < line.size() ? link_end(line, i + 1, text) : line.npos;
      // A link alone in parentheses is left out with the blank before it.
      if (end != line.npos && end < line.size() && line[end] == ')') {
        if (out.ends_with(' ')) out.pop_back();
        i = end + 1;
        continue;
      }
    } else if (line[i] == '*') {
      ++i;
      continue;
    } else if (const std::size_t end = link_end(line, i, text); end != line.npos) {
      out += plain(text);
      i = end;
      continue;
    }
    out += line[i++];
  }
  return out;
}

/// Returns the words in lines of at most `width` characters. Returns at least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> out(1);
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != text.npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    std::string& line = out.back();
    if (!line.empty() && width_of(line) + 1 + width_of(word) > width) {
      out.emplace_back(word);
    } else {
      line.append(line.empty() ? "" : " ").append(word);
    }
    at = end;
  }
  return out;
}

/// Returns the cells of a row of a table.
Row cells_of(std::string_view line) {
  Row out(1);
  line = trimmed(line);
  line = line.substr(1, line.size() - 2);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) {
      out.emplace_back();
    } else {
      out.back() += line[i];
    }
  }
  for (std::string& cell : out) cell = plain(trimmed(cell));
  return out;
}

std::size_t longest_word(std::string_view text) {
  std::size_t out = 0;
  for (const std::string& word : wrapped(text, 1)) out = std::max(out, width_of(word));
  return out;
}

/// Returns widths of the columns, in proportion to their longest cells: then the cells of a row
/// have about the same height. The widths together fit into `width`, unless the longest words do
/// not: a column is at least as wide as its longest word.
std::vector<std::size_t> column_widths(const std::vector<Row>& rows, std::size_t width) {
  std::vector<std::size_t> longest;
  std::vector<std::size_t> out;
  for (const Row& row : rows) {
    longest.resize(std::max(longest.size(), row.size()));
    out.resize(longest.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      longest[i] = std::max(longest[i], width_of(row[i]));
      out[i] = std::max(out[i], longest_word(row[i]));
    }
  }
  for (std::size_t used = std::accumulate(out.begin(), out.end(), std::size_t{0}); used < width;
       ++used) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < out.size(); ++i)
      if (longest[i] * out[most] > longest[most] * out[i]) most = i;
    if (out[most] >= longest[most]) break;  // every cell fits into one line
    ++out[most];
  }
  return out;
}

/// Returns whether a text consists of code, with only commas and blanks outside the backticks.
bool is_code_alone(std::string_view text) {
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') {
      is_code = !is_code;
    } else if (!is_code && c != ',' && c != ' ') {
      return false;
    }
  }
  return true;
}

/// Returns the title of a column in capitals, except code.
std::string column_title(std::string_view title) {
  std::string out;
  bool is_code = false;
  for (const char c : title) {
    if (c == '`') is_code = !is_code;
    if (c != '`') out += is_code ? c : upper_ascii(c);
  }
  return out;
}

/// Returns a table whose first row has the titles of the columns. Cells that are too long for their
/// column continue in further lines.
std::string table_text(std::vector<Row> rows, std::size_t width) {
  constexpr std::size_t kGap = 2;
  for (std::string& title : rows.front()) title = column_title(title);
  for (Row& row : rows) {
    for (std::string& cell : row)
      if (is_code_alone(cell)) std::erase(cell, '`');
  }
  const std::size_t gaps = kGap * (rows.front().size() - 1);
  const std::vector<std::size_t> widths = column_widths(rows, width > gaps ? width - gaps : 1);
  std::string out;
  for (const Row& row : rows) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(wrapped(row[i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      std::size_t column = 0;
      for (std::size_t i = 0; i < cells.size(); column += widths[i++] + kGap) {
        if (line >= cells[i].size() || cells[i][line].empty()) continue;
        text.append(column - width_of(text), ' ');  // no cell is wider than its column
        text += cells[i][line];
      }
      out += text + "\n";
    }
  }
  return out;
}

/// Collects the lines of a page in blocks: paragraphs, tables, headings and lines of code.
class Page {
 public:
  explicit Page(std::size_t width) : width_(width) {}

  void add_line(std::string_view text) {
    if (is_comment_ || text.starts_with("<!--")) {
      is_comment_ = text.find("-->") == text.npos;
    } else if (text.starts_with('|')) {
      end_paragraph();
      if (text.find_first_not_of("|-: ") != text.npos) rows_.push_back(cells_of(text));
    } else if (trimmed(text).empty()) {
      end_block();
      is_separated_ = true;
    } else if (text.starts_with('#')) {
      end_block();
      add_block(plain(trimmed(text.substr(text.find(' ')))) + "\n");
      is_separated_ = true;
    } else if (text.starts_with("    ") && paragraph_.empty()) {
      end_table();
      add_block(std::string(text) + "\n");
    } else if (text.starts_with("* ") || text.starts_with("- ")) {
      end_block();
      bullet_ = "- ";
      paragraph_ = text.substr(2);
    } else {
      end_table();
      paragraph_.append(paragraph_.empty() ? "" : " ").append(trimmed(text));
    }
  }

  std::string end() {
    end_block();
    return std::move(out_);
  }

 private:
  void end_block() {
    end_paragraph();
    end_table();
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    std::string text;
    for (const std::string& each : wrapped(plain(paragraph_), width_ - bullet_.size()))
      text += (text.empty() ? bullet_ : std::string(bullet_.size(), ' ')) + each + "\n";
    add_block(text);
    paragraph_.clear();
    bullet_.clear();
  }

  void end_table() {
    if (rows_.empty()) return;
    add_block(table_text(std::move(rows_), width_));
    rows_.clear();
  }

  void add_block(const std::string& block) {
    if (is_separated_ && !out_.empty()) out_ += "\n";
    is_separated_ = false;
    out_ += block;
  }

  std::size_t width_;
  std::string out_;
  std::string paragraph_;
  std::string bullet_;         // before the first line of a list item; further lines are indented
  std::vector<Row> rows_;      // of the current table
  bool is_comment_ = false;    // whether the last line began or continued a comment
  bool is_separated_ = false;  // whether an empty line comes before the next block
};

}  // namespace

std::string page_text(std::string_view markdown, std::size_t width) {
  Page page(width);
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    page.add_line(markdown.substr(0, end));
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return page.end();
}

}  // namespace slipway::cli
