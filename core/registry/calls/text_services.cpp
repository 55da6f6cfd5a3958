#include "core/registry/calls/text_services.hpp"

#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "core/spec/app_file.hpp"
#include "core/spec/app_json.hpp"
#include "core/spec/document.hpp"
#include "slipway/abi/host_text.h"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

namespace {

slipway_status write_app(const slipway_host* host, const slipway_app_def* app,
                         slipway_on_str on_text, void* ctx, slipway_error* err) {
  return abi::guard(host, err, [&] {
    const std::string text = boost::json::serialize(spec::to_json(abi::read(*app)));
    abi::ok(on_text(ctx, abi::view(text)));
  });
}

AppDef app_of(std::string_view text) {
  const std::string source = "the app";
  spec::ProblemList problems;
  spec::AppFile file = spec::read_app_document(spec::parse_json(text, source), source, problems);
  problems.throw_if_errors();
  for (std::size_t i = 0; i < file.resource_names.size(); ++i) {
    if (file.resource_names[i].empty()) continue;
    throw Error(Code::kInvalid, source + ": the resource " + file.resource_names[i] + " of role " +
                                    file.app.roles[i].name +
                                    " is a name; the text of an app must contain the values");
  }
  return std::move(file.app);
}

slipway_status read_app(const slipway_host* host, slipway_str text, slipway_on_app_def on_app,
                        void* ctx, slipway_error* err) {
  return abi::guard(host, err, [&] {
    const AppDef app = app_of(abi::text(text));
    abi::ok(on_app(ctx, abi::AppDefView(app).get()));
  });
}

/// Throws Error kInvalid for a number beyond the range of double, which has no text in JSON.
void require_finite(const spec::Node& node) {
  if (node.type == spec::NodeType::kFloat && !std::isfinite(node.real)) {
    throw Error(Code::kInvalid, "the text:" + std::to_string(node.at.line) + ":" +
                                    std::to_string(node.at.column) + ": the number is too large");
  }
  for (const spec::Node& item : node.items) require_finite(item);
  for (const spec::NodeEntry& entry : node.entries) require_finite(entry.value);
}

spec::Node parsed(slipway_str text) {
  spec::Node out = spec::parse_json(abi::text(text), "the text");
  require_finite(out);
  return out;
}

/// Removes the first word from a JSON pointer that starts with a slash, and returns it without
/// escapes (`~0` and `~1`; of any other, only the `~` is dropped).
std::string take_word(std::string_view& pointer) {
  pointer.remove_prefix(1);  // the slash
  std::string word;
  while (!pointer.empty() && pointer.front() != '/') {
    const bool is_escape = pointer.front() == '~' && pointer.size() > 1;
    if (is_escape) pointer.remove_prefix(1);
    const char c = pointer.front();
    word += is_escape && c == '0' ? '~' : is_escape && c == '1' ? '/' : c;
    pointer.remove_prefix(1);
  }
  return word;
}

const spec::Node* item_at(const spec::Node& list, const std::string& word) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  const bool is_index = error == std::errc() && end == word.data() + word.size() &&
                        (word.size() == 1 || word.front() != '0');
  return is_index && index < list.items.size() ? &list.items[index] : nullptr;
}

/// Returns the value that the JSON pointer names, or nullptr.
const spec::Node* value_at(const spec::Node& root, std::string_view pointer) {
  if (!pointer.empty() && pointer.front() != '/')
    throw Error(Code::kInvalid,
                "the JSON pointer " + std::string(pointer) + " does not start with a slash");
  const spec::Node* node = &root;
  while (node != nullptr && !pointer.empty()) {
    const std::string word = take_word(pointer);
    if (node->type == spec::NodeType::kTable) {
      node = node->find(word);
    } else {
      node = node->type == spec::NodeType::kList ? item_at(*node, word) : nullptr;
    }
  }
  return node;
}

std::int32_t kind_of(const spec::Node& node) {
  switch (node.type) {
    case spec::NodeType::kNull: return SLIPWAY_JSON_NULL;
    case spec::NodeType::kBool: return SLIPWAY_JSON_BOOL;
    case spec::NodeType::kInt: return SLIPWAY_JSON_INTEGER;
    case spec::NodeType::kBigInt:
    case spec::NodeType::kFloat: return SLIPWAY_JSON_NUMBER;
    case spec::NodeType::kString:
    case spec::NodeType::kDateTime: return SLIPWAY_JSON_STRING;
    case spec::NodeType::kList: return SLIPWAY_JSON_ARRAY;
    case spec::NodeType::kTable: break;
  }
  return SLIPWAY_JSON_OBJECT;
}

void report(const spec::Node& node, const std::string* key, slipway_on_json_value on_value,
            void* ctx) {
  std::string text;
  if (node.type != spec::NodeType::kString) spec::append_json(node, text);
  auto value = abi::sized<slipway_json_value>();
  value.kind = kind_of(node);
  if (key != nullptr) value.key = abi::view(*key);
  value.text = abi::view(node.type == spec::NodeType::kString ? node.text : text);
  abi::ok(on_value(ctx, &value));
}

slipway_status find_value(const slipway_host* host, slipway_str text, slipway_str pointer,
                          slipway_on_json_value on_value, void* ctx, slipway_error* err) {
  return abi::guard(host, err, [&] {
    const spec::Node root = parsed(text);
    if (const spec::Node* node = value_at(root, abi::text(pointer)))
      report(*node, nullptr, on_value, ctx);
  });
}

slipway_status each_value(const slipway_host* host, slipway_str text, slipway_str pointer,
                          slipway_on_json_value on_value, void* ctx, slipway_error* err) {
  return abi::guard(host, err, [&] {
    const spec::Node root = parsed(text);
    const spec::Node* node = value_at(root, abi::text(pointer));
    if (node == nullptr) return;
    for (const spec::Node& item : node->items) report(item, nullptr, on_value, ctx);
    for (const spec::NodeEntry& entry : node->entries)
      report(entry.value, &entry.key, on_value, ctx);
  });
}

constexpr slipway_host_app_text kAppText = {sizeof(slipway_host_app_text), 0, &write_app,
                                            &read_app};
constexpr slipway_host_json kJson = {sizeof(slipway_host_json), 0, &find_value, &each_value};

}  // namespace

const void* text_service(std::string_view id) {
  if (id == SLIPWAY_HOST_APP_TEXT) return &kAppText;
  if (id == SLIPWAY_HOST_JSON) return &kJson;
  return nullptr;
}

}  // namespace slipway::registry
