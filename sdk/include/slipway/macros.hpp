// Macros in an app's strings, with the meaning of TorchX's.
#pragma once

#include <string>
#include <string_view>

namespace slipway {
inline namespace sdk_1_0 {

/// The values of the five macros for one replica, like TorchX's `specs.macros.Values`.
struct MacroValues {
  std::string img_root;    ///< `${img_root}`: the directory of the image's files
  std::string app_id;      ///< `${app_id}`
  std::string replica_id;  ///< `${replica_id}`
  std::string rank0_env;   ///< `${rank0_env}`: name of the variable with replica 0's host name
  std::string base_img_root = "DEPRECATED";  ///< `${base_img_root}`, kept for old apps
};

namespace detail {

constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

inline const std::string* macro_value(std::string_view name, const MacroValues& values) {
  if (name == "img_root") return &values.img_root;
  if (name == "app_id") return &values.app_id;
  if (name == "replica_id") return &values.replica_id;
  if (name == "rank0_env") return &values.rank0_env;
  if (name == "base_img_root") return &values.base_img_root;
  return nullptr;
}

/// Returns the identifier that starts at `text[from]`, or an empty text.
inline std::string_view name_at(std::string_view text, std::size_t from) {
  if (from >= text.size() || !is_name_start(text[from])) return {};
  std::size_t end = from + 1;
  while (end < text.size() && is_name_part(text[end])) ++end;
  return text.substr(from, end - from);
}

}  // namespace detail

/// Returns `text` with `${name}` and `$name` of the five macros replaced, and `$$` replaced with
/// `$`. Leaves anything else that starts with `$` unchanged and does not expand values again. These
/// are the rules of Python's `string.Template.safe_substitute` (with ASCII identifiers), which
/// TorchX uses. Never fails. [any thread]
inline std::string substitute_macros(std::string_view text, const MacroValues& values) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      const std::size_t next = text.find('$', i);
      out.append(text.substr(i, next == std::string_view::npos ? next : next - i));
      i = next == std::string_view::npos ? text.size() : next;
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '$') {
      out.push_back('$');
      i += 2;
      continue;
    }
    const bool braced = i + 1 < text.size() && text[i + 1] == '{';
    const std::string_view name = detail::name_at(text, i + (braced ? 2 : 1));
    const std::size_t end = i + (braced ? 2 : 1) + name.size();
    const bool closed = !braced || (end < text.size() && text[end] == '}');
    const std::string* value =
        !name.empty() && closed ? detail::macro_value(name, values) : nullptr;
    if (value != nullptr) {
      out.append(*value);
      i = end + (braced ? 1 : 0);
    } else {
      out.push_back('$');
      ++i;
    }
  }
  return out;
}

/// Returns the text that substitute_macros() turns into `text`. [any thread]
inline std::string escape_macros(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '$' ? 2 : 1, c);
  return out;
}

}  // namespace sdk_1_0
}  // namespace slipway
