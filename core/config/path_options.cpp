#include "core/config/path_options.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/spec/path_option.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"
#include "slipway/user_namespace.hpp"

namespace slipway::config {

namespace {

bool is_path(const SettingKey& key) {
  if (key.section == Section::kScheduler) return spec::is_path_option(key.option);
  return key.section == Section::kCli && key.option == "workspace";
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::optional<std::string> value_of(const Variables& variable, const std::string& name) {
  const char* value = variable(name.c_str());
  if (value != nullptr && *value != '\0') return value;
  if (name != "HOME" && name != "USER") return std::nullopt;
  const passwd* account = ::getpwuid(::geteuid());
  if (account == nullptr) return std::nullopt;
  return name == "HOME" ? account->pw_dir : account->pw_name;
}

/// Returns the variables for paths in a setting of `layer`: in the site's file USER is not set, so
/// that value_of() uses the password database. `of_process` must outlive the result.
Variables variables_for(Layer layer, const Variables& of_process) {
  // In a user namespace, the caller's uid may be that of a different user in the password database.
  if (layer != Layer::kSite || UserNamespace::of_process().unmapped()) return of_process;
  return [&of_process](const char* name) -> const char* {
    const bool is_account = std::string_view(name) == "USER" && ::getpwuid(::geteuid()) != nullptr;
    return is_account ? nullptr : of_process(name);
  };
}

std::string value_or_throw(const Variables& variable, const std::string& name) {
  std::optional<std::string> value = value_of(variable, name);
  if (!value) throw Error(Code::kConfig, "the environment has no variable " + spec::quoted(name));
  return *std::move(value);
}

/// Returns the variable's name after the dollar sign at `at`, and moves `at` past the name and its
/// braces.
std::string name_at(const std::string& text, std::size_t& at) {
  const bool in_braces = at + 1 < text.size() && text[at + 1] == '{';
  const std::size_t start = at + (in_braces ? 2 : 1);
  std::size_t end = start;
  while (end < text.size() && is_name_character(text[end])) ++end;
  const bool is_closed = !in_braces || (end < text.size() && text[end] == '}');
  if (end == start || !is_closed) {
    throw Error(Code::kConfig, "a variable is written $NAME or ${NAME}, a dollar sign $$, in " +
                                   spec::quoted(text));
  }
  at = end + (in_braces ? 1 : 0);
  return text.substr(start, end - start);
}

std::string expanded(const std::string& text, const Variables& variable) {
  std::string out;
  std::size_t at = 0;
  if (!text.empty() && text.front() == '~') {
    if (text.size() > 1 && text[1] != '/') {
      throw Error(Code::kConfig,
                  "only ~ and ~/ are expanded, not another user's home, in " + spec::quoted(text));
    }
    out = value_or_throw(variable, "HOME");
    at = 1;
  }
  while (at < text.size()) {
    if (text[at] != '$') {
      out += text[at++];
    } else if (at + 1 < text.size() && text[at + 1] == '$') {
      out += '$';
      at += 2;
    } else {
      out += value_or_throw(variable, name_at(text, at));
    }
  }
  return out;
}

/// Expands a text of a .torchxconfig, in which `;` separates the items of a list.
std::string expanded_items(const std::string& text, const Variables& variable) {
  std::string out;
  for (std::size_t from = 0;;) {
    const std::size_t end = text.find(';', from);
    out += expanded(text.substr(from, end - from), variable);
    if (end == std::string::npos) return out;
    out += ';';
    from = end + 1;
  }
}

}  // namespace

void expand_paths(Setting& setting, const Variables& of_process) {
  if (!is_path(setting.key) || !setting.defect.empty()) return;
  const Variables variable = variables_for(setting.layer, of_process);
  try {
    spec::Node& value = setting.value;
    if (value.type == spec::NodeType::kString) {
      value.text = setting.notation == Notation::kTorchx ? expanded_items(value.text, variable)
                                                         : expanded(value.text, variable);
    }
    for (spec::Node& item : value.items) {
      if (item.type == spec::NodeType::kString) item.text = expanded(item.text, variable);
    }
  } catch (const Error& error) {
    setting.defect = error.message();
  }
}

}  // namespace slipway::config
