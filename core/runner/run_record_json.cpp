#include "core/runner/run_record_json.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sdk/support/checksum.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace json = boost::json;

namespace {

json::value text_json(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

/// The only key of an object that stands for a string which JSON cannot hold: its bytes, in
/// hexadecimal digits.
constexpr std::string_view kBytes = "bytes (hex)";

/// The only key of an object that stands for a dictionary which cannot be stored as an object: an
/// array of its entries, each an array of key and value.
constexpr std::string_view kEntries = "entries";

/// Returns whether the object cannot be stored as it is: a key is not UTF-8, or the object would be
/// read as a string with kBytes.
bool needs_entries(const json::object& fields) {
  if (fields.size() == 1 && fields.contains(kBytes)) return true;
  return std::any_of(fields.begin(), fields.end(), [](const auto& field) {
    return find_invalid_utf8(field.key()) != std::string_view::npos;
  });
}

/// Replaces strings that are not UTF-8 by objects with kBytes, and objects that need it by objects
/// with kEntries.
void encode(json::value& value) {
  if (const json::object* fields = value.if_object(); fields != nullptr && needs_entries(*fields)) {
    json::array entries;
    for (const auto& field : *fields) entries.push_back(json::array{field.key(), field.value()});
    value = json::object{{kEntries, std::move(entries)}};
  }
  if (json::array* items = value.if_array())
    for (json::value& item : *items) encode(item);
  if (json::object* fields = value.if_object())
    for (auto& field : *fields) encode(field.value());
  const json::string* text = value.if_string();
  if (text == nullptr || find_invalid_utf8(*text) == std::string_view::npos) return;
  std::string digits;
  for (const char byte : *text) detail::append_hex(static_cast<unsigned char>(byte), 2, digits);
  value = json::object{{kBytes, digits}};
}

bool is_encoded(const json::value& value) {
  const json::object* fields = value.if_object();
  return fields != nullptr && fields->size() == 1 && fields->contains(kBytes);
}

std::string text_of(const json::value& value) {
  if (value.is_null()) return {};
  if (!is_encoded(value)) return std::string(value.as_string());
  const std::string digits(value.at(kBytes).as_string());
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return out;
}

/// Returns the dictionary that encode() has stored as `fields`.
StrDict dict_of(const json::object& fields) {
  StrDict out;
  const json::value* stored = fields.size() == 1 ? fields.if_contains(kEntries) : nullptr;
  // In a dictionary that is stored as it is, the value of this key is a string.
  if (const json::array* entries = stored != nullptr ? stored->if_array() : nullptr) {
    for (const json::value& entry : *entries)
      set(out, text_of(entry.as_array().at(0)), text_of(entry.as_array().at(1)));
    return out;
  }
  for (const auto& [key, item] : fields) set(out, key, text_of(item));
  return out;
}

// The end of a file: the key of the checksum, its eight digits, and the end of the object.
constexpr std::string_view kChecksum = ",\"crc32\":\"";
constexpr std::string_view kEnd = "\"}\n";
constexpr std::size_t kDigits = 8;

std::string checksum_of(std::string_view text) {
  std::string out;
  detail::append_hex(crc32(text), kDigits, out);
  return out;
}

/// Returns whether the text has the checksum of its content, or none, as earlier versions wrote it.
bool is_whole(std::string_view text) {
  constexpr std::size_t kLength = kChecksum.size() + kDigits + kEnd.size();
  if (text.size() < kLength) return true;
  const std::string_view end = text.substr(text.size() - kLength);
  return !end.starts_with(kChecksum) || end.substr(kChecksum.size(), kDigits) ==
                                            checksum_of(text.substr(0, text.size() - kLength));
}

/// Returns the value of a key that an older record may lack; null without it.
const json::value& at_key(const json::object& object, const char* key) {
  static const json::value null;
  const json::value* found = object.if_contains(key);
  return found != nullptr ? *found : null;
}

StrList list_of(const json::value& value) {
  StrList out;
  if (value.is_null()) return out;
  for (const json::value& item : value.as_array()) out.push_back(text_of(item));
  return out;
}

Value value_of(const json::value& from) {
  switch (from.kind()) {
    case json::kind::string: return text_of(from);
    case json::kind::int64: return from.get_int64();
    case json::kind::double_: return from.get_double();
    case json::kind::bool_: return from.get_bool();
    case json::kind::array: return list_of(from);
    case json::kind::object:
      if (is_encoded(from)) return text_of(from);
      return dict_of(from.get_object());
    default: return {};
  }
}

json::value workspace_json(const RecordedWorkspace& workspace) {
  json::array others;
  for (const std::string& image : workspace.other_images) others.push_back(json::string(image));
  return json::object{{"provider", workspace.provider},
                      {"source", workspace.source},
                      {"image", workspace.image},
                      {"option", text_json(workspace.option)},
                      {"other_images", std::move(others)}};
}

RunRecord record_of(const json::object& from) {
  RunRecord out;
  out.slipway_version = text_of(at_key(from, "slipway_version"));
  for (const json::value& plugin : from.at("plugins").as_array()) {
    const json::object& fields = plugin.as_object();
    out.plugins.push_back({text_of(at_key(fields, "id")), text_of(at_key(fields, "version")),
                           text_of(at_key(fields, "sha256"))});
  }
  out.host = text_of(at_key(from, "host"));
  out.directory = text_of(at_key(from, "directory"));
  out.command_line = list_of(at_key(from, "command_line"));
  for (const json::value& option : from.at("options").as_array()) {
    const json::object& fields = option.as_object();
    out.options.push_back({text_of(at_key(fields, "name")), value_of(at_key(fields, "value")),
                           text_of(at_key(fields, "origin"))});
  }
  out.environment = list_of(at_key(from, "environment"));
  if (const json::object* labels = at_key(from, "labels").if_object())
    out.labels = dict_of(*labels);
  if (const json::object* git = at_key(from, "git").if_object()) {
    out.git_revision = text_of(at_key(*git, "revision"));
    if (const bool* dirty = at_key(*git, "dirty").if_bool()) out.git_dirty = *dirty;
  }
  if (const json::object* workspace = at_key(from, "workspace").if_object()) {
    out.workspace = RecordedWorkspace{
        text_of(at_key(*workspace, "provider")), text_of(at_key(*workspace, "source")),
        text_of(at_key(*workspace, "image")), text_of(at_key(*workspace, "option")),
        list_of(at_key(*workspace, "other_images"))};
  }
  return out;
}

}  // namespace

json::value value_json(const Value& value) {
  switch (type_of(value)) {
    case ValueType::kStr: return json::value(std::get<std::string>(value));
    case ValueType::kInt: return std::get<std::int64_t>(value);
    case ValueType::kFloat: return std::get<double>(value);
    case ValueType::kBool: return std::get<bool>(value);
    case ValueType::kList: {
      const auto& list = std::get<StrList>(value);
      return json::array(list.begin(), list.end());
    }
    case ValueType::kDict: {
      json::object out;
      for (const auto& [key, item] : std::get<StrDict>(value)) out[key] = item;
      return out;
    }
    case ValueType::kNone: break;
  }
  return nullptr;
}

json::object run_record_json(const RunRecord& record) {
  json::array plugins;
  for (const RecordedPlugin& plugin : record.plugins) {
    plugins.push_back(json::object{
        {"id", plugin.id}, {"version", plugin.version}, {"sha256", text_json(plugin.sha256)}});
  }
  json::array options;
  for (const RecordedOption& option : record.options) {
    options.push_back(json::object{
        {"name", option.name}, {"value", value_json(option.value)}, {"origin", option.origin}});
  }
  json::object labels;
  for (const auto& [key, value] : record.labels) labels[key] = value;
  json::value git;
  if (!record.git_revision.empty()) {
    git =
        json::object{{"revision", record.git_revision},
                     {"dirty", record.git_dirty ? json::value(*record.git_dirty) : json::value()}};
  }
  return {{"slipway_version", record.slipway_version},
          {"plugins", std::move(plugins)},
          {"host", record.host},
          {"directory", record.directory},
          {"command_line", json::array(record.command_line.begin(), record.command_line.end())},
          {"options", std::move(options)},
          {"environment", json::array(record.environment.begin(), record.environment.end())},
          {"labels", std::move(labels)},
          {"git", std::move(git)},
          {"workspace", record.workspace ? workspace_json(*record.workspace) : json::value()}};
}

std::string stored_run_record(const RunRecord& record) {
  json::value value = run_record_json(record);
  encode(value);
  std::string text = json::serialize(value);
  text.pop_back();  // the closing brace, which kEnd contains
  return text + std::string(kChecksum) + checksum_of(text) + std::string(kEnd);
}

RunRecord parse_run_record(const std::string& text) {
  try {
    if (!is_whole(text)) throw std::runtime_error("wrong checksum");
    return record_of(parse_deep_json(text).as_object());
  } catch (const std::exception&) {
    throw Error(Code::kInvalid, "the run record is damaged");
  }
}

}  // namespace slipway
