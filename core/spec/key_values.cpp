#include "core/spec/key_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"

namespace slipway::spec {
namespace {

constexpr std::string_view kSeparators = ",;";
constexpr std::string_view kQuotes = "'\"";

std::string unquoted(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && kQuotes.find(text.front()) != std::string_view::npos &&
                         text.back() == text.front();
  return std::string(is_quoted ? text.substr(1, text.size() - 2) : text);
}

// Returns the text with quotes and everything inside them replaced by '"', so that offsets stay the
// same and only separators outside quotes remain.
std::string mask_quoted(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (kQuotes.find(text[i]) == std::string_view::npos) continue;
    const std::size_t end = text.find(text[i], i + 1);
    if (end == std::string_view::npos) continue;
    out.replace(i, end - i + 1, end - i + 1, '"');
    i = end;
  }
  return out;
}

// A part of the text, and the same part of the masked text.
struct Piece {
  std::string_view text;
  std::string_view masked;

  Piece part(std::size_t from, std::size_t length = std::string_view::npos) const {
    return {text.substr(from, length), masked.substr(from, length)};
  }
  Piece trim() const {
    const std::string_view inner = trimmed(text);
    if (inner.empty()) return {};
    return part(static_cast<std::size_t>(inner.data() - text.data()), inner.size());
  }
};

// Splits at '=' signs, trims blanks and skips empty pieces.
std::vector<Piece> split_at_equals(const Piece& whole) {
  std::vector<Piece> out;
  for (std::size_t from = 0; from <= whole.masked.size();) {
    const std::size_t end = std::min(whole.masked.find('=', from), whole.masked.size());
    const Piece piece = whole.part(from, end - from).trim();
    if (!piece.text.empty()) out.push_back(piece);
    from = end + 1;
  }
  return out;
}

void store(StrDict& out, std::string_view whole, std::string_view key, std::string_view value) {
  const std::string name = unquoted(key);
  if (name.empty())
    throw Error(Code::kInvalid, quoted(whole) + ": the name before an '=' is empty");
  set(out, name, unquoted(value));
}

}  // namespace

StrDict to_dict(std::string_view text) {
  StrDict out;
  if (text.empty()) return out;
  const std::string masked = mask_quoted(text);
  const std::vector<Piece> pieces = split_at_equals({text, masked});
  if (pieces.size() < 2) {
    throw Error(Code::kInvalid, quoted(text) + ": expected KEY=VALUE",
                "separate several pairs with a comma: a=1,b=2; an empty value is written a=''");
  }
  std::string_view key = pieces.front().text;
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    const std::size_t cut = pieces[i].masked.find_last_of(kSeparators);
    if (cut == std::string_view::npos || cut == 0) {
      throw Error(Code::kInvalid,
                  quoted(text) + ": expected a value, a comma and the next key, found " +
                      quoted(pieces[i].text),
                  "put quotes around a value with '=' in it; an empty value is written ''");
    }
    store(out, text, key, trimmed(pieces[i].text.substr(0, cut)));
    key = trimmed(pieces[i].text.substr(cut + 1));
  }
  store(out, text, key, pieces.back().text);
  return out;
}

StrList to_list(std::string_view text) {
  StrList out;
  if (text.empty()) return out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    out.emplace_back(trimmed(text.substr(from, end - from)));
    from = end + 1;
  }
  return out;
}

}  // namespace slipway::spec
