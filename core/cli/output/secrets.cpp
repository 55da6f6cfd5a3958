#include "core/cli/output/secrets.hpp"

namespace slipway::cli {

namespace {

/// Redacts the text if it contains a URL with a password. Returns whether it does.
bool redact_url(std::string& text) {
  if (!spec::holds_url_password(text)) return false;
  text = kRedacted;
  return true;
}

}  // namespace

bool redact_secrets(AppDef& app) {
  bool found = false;
  for (auto& [key, value] : app.metadata) found = redact_url(value) || found;
  for (Role& role : app.roles) {
    for (auto& [name, value] : role.env) {
      if (!spec::is_secret_name(name) && !spec::holds_url_password(value)) continue;
      value = kRedacted;
      found = true;
    }
  }
  return found;
}

bool redact_secrets(RunRecord& record) {
  bool found = false;
  for (RecordedOption& option : record.options)
    found = redact_secrets(option.value, option.name) || found;
  for (auto& [key, value] : record.labels) found = redact_url(value) || found;
  if (record.workspace) found = redact_url(record.workspace->source) || found;
  return found;
}

bool redact_secrets(Value& value, std::string_view name) {
  if (spec::is_secret_name(name) && type_of(value) != ValueType::kNone) {
    value = std::string(kRedacted);
    return true;
  }
  bool found = false;
  if (auto* text = std::get_if<std::string>(&value)) {
    found = redact_url(*text);
  } else if (auto* list = std::get_if<StrList>(&value)) {
    for (std::string& item : *list) found = redact_url(item) || found;
  } else if (auto* dict = std::get_if<StrDict>(&value)) {
    for (auto& [key, text_of_key] : *dict) {
      if (spec::is_secret_name(key)) {
        text_of_key = kRedacted;
        found = true;
      }
      found = redact_url(text_of_key) || found;
    }
  }
  return found;
}

}  // namespace slipway::cli
