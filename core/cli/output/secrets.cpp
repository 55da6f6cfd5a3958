#include "core/cli/output/secrets.hpp"

namespace slipway::cli {

bool redact_secrets(AppDef& app) {
  bool found = false;
  for (Role& role : app.roles) {
    for (auto& [name, value] : role.env) {
      if (!spec::is_secret_name(name) && !spec::holds_url_password(value)) continue;
      value = kRedacted;
      found = true;
    }
  }
  return found;
}

void redact_secrets(Value& value, std::string_view name) {
  const auto redact = [](std::string& text) {
    if (spec::holds_url_password(text)) text = kRedacted;
  };
  if (spec::is_secret_name(name) && type_of(value) != ValueType::kNone) {
    value = std::string(kRedacted);
  } else if (auto* text = std::get_if<std::string>(&value)) {
    redact(*text);
  } else if (auto* list = std::get_if<StrList>(&value)) {
    for (std::string& item : *list) redact(item);
  } else if (auto* dict = std::get_if<StrDict>(&value)) {
    for (auto& [key, text_of_key] : *dict) {
      if (spec::is_secret_name(key)) text_of_key = kRedacted;
      redact(text_of_key);
    }
  }
}

}  // namespace slipway::cli
