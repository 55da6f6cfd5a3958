// Parses JSON into a Node tree. Boost's basic_parser checks the grammar and decodes values, but its
// events carry no offsets, so a second scanner walks the tokens in step with them.
#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <utility>

#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/text_cursor.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::spec {
namespace {

// Finds the offsets of the values and keys of a JSON text, in order. Stays within bounds on any
// text; the parser asks for no token after the first error.
class TokenScanner {
 public:
  explicit TokenScanner(std::string_view text) : text_(text) {}

  // Returns the offset of the next key or value, or the size of the text at its end.
  std::size_t next() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n,:]}", at_), text_.size());
    const std::size_t start = at_;
    if (at_ == text_.size()) return start;
    const char c = text_[at_++];
    if (c == '"') {
      skip_string();
    } else if (c != '{' && c != '[') {
      at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    }
    return start;
  }

  // Returns the token at `start`, which next() returned last. Only for numbers.
  std::string_view token(std::size_t start) const { return text_.substr(start, at_ - start); }

 private:
  void skip_string() {
    while (at_ < text_.size()) {
      at_ = std::min(text_.find_first_of("\"\\", at_), text_.size());
      if (at_ == text_.size()) return;
      if (text_[at_++] == '"') return;
      at_ = std::min(at_ + 1, text_.size());
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Builds the tree from the events of the parser.
struct TreeBuilder {
  using error_code = boost::json::error_code;
  using string_view = boost::json::string_view;

  // Boost requires these limits. checked_text() has already limited the size of the text.
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit TreeBuilder(std::string_view text) : scanner_(text), cursor_(text) {}

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return open(NodeType::kTable); }
  bool on_array_begin(error_code&) { return open(NodeType::kList); }
  bool on_array_end(std::size_t, error_code&) { return close(); }
  bool on_object_end(std::size_t, error_code& error) {
    duplicate = first_duplicate(*containers_.back());
    if (duplicate != nullptr) {
      error = boost::json::error::syntax;
      return false;
    }
    return close();
  }
  bool on_key_part(string_view part, std::size_t, error_code&) { return on_part(part); }
  bool on_string_part(string_view part, std::size_t, error_code&) { return on_part(part); }
  bool on_key(string_view part, std::size_t, error_code&) {
    on_part(part);
    key_at_ = cursor_.mark(scanner_.next());
    key_ = std::exchange(buffer_, {});
    return true;
  }
  bool on_string(string_view part, std::size_t, error_code&) {
    on_part(part);
    place(NodeType::kString).text = std::exchange(buffer_, {});
    return true;
  }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t number, string_view, error_code&) {
    place(NodeType::kInt).integer = number;
    return true;
  }
  bool on_uint64(std::uint64_t, string_view, error_code&) { return on_wide_number(); }
  bool on_double(double, string_view, error_code&) { return on_wide_number(); }
  bool on_bool(bool value, error_code&) {
    place(NodeType::kBool).boolean = value;
    return true;
  }
  bool on_null(error_code&) {
    place(NodeType::kNull);
    return true;
  }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  Node root;
  const NodeEntry* duplicate = nullptr;  // see first_duplicate()

 private:
  bool on_part(string_view part) {
    buffer_.append(part.data(), part.size());
    return true;
  }

  // Converts the digits again: Boost's conversion may be off by one unit in the last place, and
  // integers beyond int64 also arrive here.
  bool on_wide_number() {
    Node& node = place(NodeType::kFloat);
    const std::string_view digits = scanner_.token(last_token_);
    if (digits.find_first_of(".eE") == std::string_view::npos) {
      node.type = NodeType::kBigInt;
      node.text = std::string(digits);
    } else {
      node.real = real_from(digits).value_or(0);  // has a value, because the parser found a number
    }
    return true;
  }

  // Appends an empty value to the innermost container.
  Node& place(NodeType type) {
    Node* node = &root;
    if (!containers_.empty()) {
      Node& parent = *containers_.back();
      if (parent.type == NodeType::kList) {
        node = &parent.items.emplace_back();
      } else {
        node = &parent.entries.emplace_back(NodeEntry{std::move(key_), key_at_, {}}).value;
        key_.clear();
      }
    }
    last_token_ = scanner_.next();
    node->type = type;
    node->at = cursor_.mark(last_token_);
    return *node;
  }

  bool open(NodeType type) {
    containers_.push_back(&place(type));
    return true;
  }
  bool close() {
    containers_.pop_back();
    return true;
  }

  // Returns the first entry whose key an earlier entry of the table has, or nullptr. Sorts the
  // entries, because comparing all pairs takes quadratic time.
  static const NodeEntry* first_duplicate(const Node& table) {
    std::vector<const NodeEntry*> sorted;
    sorted.reserve(table.entries.size());
    for (const NodeEntry& entry : table.entries) sorted.push_back(&entry);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const NodeEntry* a, const NodeEntry* b) { return a->key < b->key; });
    const NodeEntry* first = nullptr;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const bool earlier = first == nullptr || sorted[i] < first;
      if (sorted[i]->key == sorted[i - 1]->key && earlier) first = sorted[i];
    }
    return first;
  }

  TokenScanner scanner_;
  TextCursor cursor_;
  std::size_t last_token_ = 0;
  // The open containers, innermost last. A container does not grow while one inside it is open, so
  // the pointers stay valid.
  std::vector<Node*> containers_;
  std::string key_;  // the key of the value that follows
  Mark key_at_;
  std::string buffer_;  // the parts of the current key or string
};

std::string unexpected_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the text ends too early";
  return "unexpected " + quoted(text.substr(offset, 1));
}

}  // namespace

Node parse_json(std::string_view raw, const std::string& source) {
  const std::string_view text = checked_text(raw, source);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    refuse(source, Mark{1, 1}, "not valid JSON: the text is empty");
  }
  boost::json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::json::basic_parser<TreeBuilder> parser(options, text);
  boost::json::error_code error;
  const std::size_t parsed = parser.write_some(/*more=*/false, text.data(), text.size(), error);
  if (const NodeEntry* entry = parser.handler().duplicate; entry != nullptr) {
    refuse(source, entry->key_at, "the key " + quoted(entry->key) + " appears twice in one table");
  }
  const Mark at = TextCursor::mark_at(text, parsed);
  if (error == boost::json::error::too_deep) {
    refuse(source, at, "nested too deeply, at most " + std::to_string(kMaxDepth) + " levels");
  }
  if (error) refuse(source, at, "not valid JSON: " + unexpected_at(text, parsed));
  if (parsed < text.size()) {
    refuse(source, at,
           "not valid JSON: " + unexpected_at(text, parsed) + " after the end of the document");
  }
  return std::move(parser.handler().root);
}

}  // namespace slipway::spec
