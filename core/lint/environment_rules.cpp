#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"
#include "core/spec/secret_names.hpp"

namespace slipway::lint {
namespace {

// Slipway replaces TORCHX_PARENT_RUN_ID only if the app has a parent, so it is not reserved.
constexpr std::array<std::string_view, 2> kReserved = {"TORCHX_JOB_ID",
                                                       "TORCHX_INTERNAL_SESSION_ID"};

// TOKENIZERS_PARALLELISM=false and MAX_TOKENS=4096 contain TOKEN but are not secrets.
bool is_setting(std::string_view name, std::string_view value) {
  if (value == "true" || value == "false") return true;
  return name.find("TOKEN") != std::string_view::npos &&
         value.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool names_a_file(std::string_view name, std::string_view value) {
  return name.ends_with("_FILE") || name.ends_with("_PATH") || name.ends_with("_DIR") ||
         value.front() == '/';
}

bool is_secret(const std::string& name, const std::string& value) {
  if (value.empty() || value == spec::kRedacted || !spec::is_secret_name(name)) return false;
  return !is_setting(name, value) && !names_a_file(name, value);
}

}  // namespace

void check_environment(const RoleContext& context) {
  for (std::size_t i = 0; i < context.role.env.size(); ++i) {
    const auto& [name, value] = context.role.env[i];
    const auto warn = [&, &key = name](std::string_view rule, std::string message,
                                       std::string hint) {
      context.warn_entry(rule, "env", key, i, std::move(message), std::move(hint));
    };
    if (value == spec::kRedacted) {
      warn(rule::kRedactedValue,
           "the value is the placeholder that is printed in place of a secret",
           "`slipway describe --show-secrets` prints the secret itself");
    }
    const bool in_url = value != spec::kRedacted && spec::holds_url_password(value);
    if (in_url || is_secret(name, value)) {
      warn(rule::kPlainSecret,
           std::string(in_url ? "the URL holds a password" : "by its name this is a secret") +
               ", and anyone who reads the file has it",
           "leave it out and set it where the replicas run, or name a file that holds it");
    }
    if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end()) {
      warn(rule::kReservedVariable, "Slipway sets this variable itself, over the value here",
           "leave it out");
    }
  }
}

}  // namespace slipway::lint
