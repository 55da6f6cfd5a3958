#include "core/spec/secret_names.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "sdk/support/ascii_case.hpp"

namespace slipway::spec {
namespace {

// A name is secret if it contains one of these anywhere.
constexpr std::array<std::string_view, 13> kParts = {
    "SECRET", "TOKEN",      "PASSWORD",    "PASSWD",     "PASSPHRASE",   "API_KEY",
    "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "DATABASE_URL", "CONNECTION_STRING",
    "BEARER"};

// A name is secret if one of these is a whole word of it: AUTHOR and COMPASS are not secret. PWD
// stands for "password"; the shell's PWD is redacted along with it.
constexpr std::array<std::string_view, 6> kWords = {"PASS",   "PWD",     "AUTH",
                                                    "COOKIE", "COOKIES", "DSN"};

// A last word that names a place or a kind, as in SSH_AUTH_SOCK, makes kWords harmless.
constexpr std::array<std::string_view, 8> kHarmlessEnds = {"SOCK", "FILE", "PATH",   "DIR",
                                                           "TYPE", "MODE", "METHOD", "ENABLED"};

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool has_secret_word(std::string_view name) {
  bool found = false;
  while (true) {
    const std::size_t end = name.find('_');
    const std::string_view word = name.substr(0, end);
    found = found || holds(kWords, word);
    if (end == std::string_view::npos) return found && !holds(kHarmlessEnds, word);
    name.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_secret_name(std::string_view name) {
  std::string upper = upper_case(name);
  for (char& c : upper) {
    if (c == '-' || c == '.') c = '_';
  }
  return has_secret_word(upper) ||
         std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return upper.find(part) != std::string::npos; });
}

bool holds_url_password(std::string_view value) {
  for (std::size_t at = value.find("://"); at != std::string_view::npos;
       at = value.find("://", at + 3)) {
    std::string_view authority = value.substr(at + 3);
    authority = authority.substr(0, authority.find_first_of("/?# \t\n\"'"));
    const std::size_t user_end = authority.rfind('@');
    const std::size_t colon = authority.find(':');
    if (user_end != std::string_view::npos && colon < user_end && colon + 1 < user_end) return true;
  }
  return false;
}

bool redact_secrets(Node& value, const std::string& name) {
  if (is_secret_name(name) || (value.type == NodeType::kString && holds_url_password(value.text))) {
    value = Node();
    value.type = NodeType::kString;
    value.text = kRedacted;
    return true;
  }
  bool found = false;
  for (NodeEntry& entry : value.entries) {
    const std::string key = name.empty() ? entry.key : name + "." + entry.key;
    if (redact_secrets(entry.value, key)) found = true;
  }
  for (Node& item : value.items) {
    if (redact_secrets(item, name)) found = true;
  }
  return found;
}

}  // namespace slipway::spec
