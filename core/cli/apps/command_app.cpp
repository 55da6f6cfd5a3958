#include "core/cli/apps/command_app.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "slipway/macros.hpp"

namespace slipway::cli {

namespace {

/// Returns a name for the app and its role: the program's file name, with `-` for all characters
/// but letters, digits, `_`, `-` and `.`, cut to 60 characters. Adds `command` in front if the name
/// would be empty or start with `-` or `.`.
std::string role_name(const std::string& program) {
  std::string out;
  for (const char c : program.substr(program.find_last_of('/') + 1)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    out += is_plain ? c : '-';
  }
  constexpr std::size_t kLongest = 60;  // bytes, far less than names may have
  out.resize(std::min(out.size(), kLongest));
  const bool starts_well = !out.empty() && out.front() != '-' && out.front() != '.';
  return starts_well ? out : "command" + out;
}

}  // namespace

AppDef command_app(const StrList& words, std::int32_t num_replicas) {
  AppDef out;
  out.name = role_name(words.front());
  Role& role = out.roles.emplace_back();
  role.name = out.name;
  role.entrypoint = words.front();  // not escaped: an entrypoint has no macros
  for (auto word = words.begin() + 1; word != words.end(); ++word)
    role.args.push_back(escape_macros(*word));
  role.num_replicas = num_replicas;
  return out;
}

}  // namespace slipway::cli
