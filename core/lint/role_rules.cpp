#include "core/lint/role_rules.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/lint/rules.hpp"
#include "core/spec/secret_names.hpp"
#include "sdk/support/ascii_case.hpp"

namespace slipway::lint {
namespace {

// Slipway replaces TORCHX_PARENT_RUN_ID only if a parent run id is given, so it is not reserved.
constexpr std::array<std::string_view, 2> kReservedVariables = {"TORCHX_JOB_ID",
                                                                "TORCHX_INTERNAL_SESSION_ID"};

// Recognises values that are no secrets, as in TOKENIZERS_PARALLELISM=false and MAX_TOKENS=4096.
// `name` is in upper case.
bool is_setting(std::string_view name, std::string_view value) {
  if (value == "true" || value == "false") return true;
  return name.find("TOKEN") != std::string_view::npos &&
         value.find_first_not_of("0123456789.") == std::string_view::npos;
}

// `name` is in upper case.
bool names_a_file(std::string_view name, std::string_view value) {
  return name.ends_with("_FILE") || name.ends_with("_PATH") || name.ends_with("_DIR") ||
         value.front() == '/';
}

bool is_secret(const std::string& name, const std::string& value) {
  if (value.empty() || value == spec::kRedacted || !spec::is_secret_name(name)) return false;
  const std::string upper = upper_case(name);
  return !is_setting(upper, value) && !names_a_file(upper, value);
}

// Accepts only unmistakable paths: `images/trainer` may be a repository of a registry.
bool is_path(std::string_view image) {
  return image == "." || image == ".." || image.substr(0, 1) == "/" || image.substr(0, 2) == "./" ||
         image.substr(0, 3) == "../";
}

// Removes trailing slashes, because `/data/` and `/data` are the same directory.
std::string without_end_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

bool RoleContext::written(std::string_view field) const {
  return !failed(field) && marks.find(field) != nullptr;
}

bool RoleContext::failed(std::string_view field) const {
  return report.failed(spec::KeyPath(path, field));
}

void RoleContext::warn(std::string_view rule, std::string_view field, std::string message,
                       std::string hint) const {
  report.warning(marks.at(field), spec::KeyPath(path, field), std::move(message), std::move(hint),
                 rule);
}

void RoleContext::warn_item(std::string_view rule, std::string_view field, std::size_t index,
                            std::string message, std::string hint) const {
  const spec::KeyPath list(path, field);
  report.warning(marks.item(field, index), spec::KeyPath(list, index), std::move(message),
                 std::move(hint), rule);
}

void RoleContext::warn_entry(std::string_view rule, std::string_view field, std::string_view key,
                             std::size_t index, std::string message, std::string hint) const {
  const spec::KeyPath table(path, field);
  report.warning(marks.item(field, index), spec::KeyPath(table, key), std::move(message),
                 std::move(hint), rule);
}

void check_entrypoint(const RoleContext& context) {
  const std::string& program = context.role.entrypoint;
  const std::size_t space = program.find_first_of(" \t");
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(program, ignored);
  if (program.find('/') != std::string::npos && std::filesystem::exists(status)) {
    constexpr auto kAnyExec = std::filesystem::perms::owner_exec |
                              std::filesystem::perms::group_exec |
                              std::filesystem::perms::others_exec;
    const bool is_directory = std::filesystem::is_directory(status);
    if (!is_directory && (status.permissions() & kAnyExec) != std::filesystem::perms::none) return;
    context.warn(rule::kEntrypointNotExecutable, "entrypoint",
                 "the entrypoint " + spec::quoted(program) +
                     (is_directory ? " is a directory" : " is not executable"),
                 is_directory ? "name a program in it"
                              : "use `chmod +x`, or name its interpreter as the entrypoint");
  }
  if (space == std::string::npos || std::filesystem::exists(status)) return;
  if (space == 0) {
    return context.warn(rule::kEntrypointIsALine, "entrypoint",
                        "the entrypoint " + spec::quoted(program) + " begins with a space",
                        "remove the space");
  }
  context.warn(
      rule::kEntrypointIsALine, "entrypoint",
      "the entrypoint " + spec::quoted(program) + " names one program, whose name has spaces",
      "write entrypoint = " + spec::quoted(program.substr(0, space)) + " and the rest as args");
}

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
           std::string(in_url ? "the URL contains a password" : "the name suggests a secret") +
               ", which every reader of the file can see",
           "leave it out and set it where the replicas run, or name a file that contains it");
    }
    if (std::find(kReservedVariables.begin(), kReservedVariables.end(), name) !=
        kReservedVariables.end()) {
      warn(rule::kReservedVariable, "Slipway sets this variable itself and overwrites this value",
           "leave it out");
    }
  }
}

void check_image(const RoleContext& context) {
  const std::string& image = context.role.image;
  if (!is_path(image) || image.find('\0') != std::string::npos) return;
  std::error_code error;
  // Behind a directory that this user may not search, the image may exist.
  if (std::filesystem::exists(image, error) || error == std::errc::permission_denied) return;
  context.warn(rule::kMissingImage, "image",
               "the path " + spec::quoted(image) + " does not exist on this machine",
               image.front() == '/' ? "" : "a relative path starts at the current directory");
}

void check_mounts(const RoleContext& context) {
  std::unordered_map<std::string, std::size_t> taken;
  for (std::size_t i = 0; i < context.role.mounts.size(); ++i) {
    const std::string& path = context.role.mounts[i].dst;
    if (path.empty()) continue;  // validate() reports an empty destination
    const auto warn = [&](std::string message, std::string hint) {
      context.warn_item(rule::kMountDestination, "mounts", i, std::move(message), std::move(hint));
    };
    if (path.front() != '/')
      warn("the destination " + spec::quoted(path) + " is not an absolute path", "");
    const auto [first, is_new] = taken.emplace(without_end_slash(path), i);
    if (is_new) continue;
    warn("mounts[" + std::to_string(first->second) + "] has the destination " + spec::quoted(path) +
             " already",
         "replicas see only one of them");
  }
}

void check_ports(const RoleContext& context) {
  std::unordered_map<std::int64_t, const std::string*> taken;
  for (std::size_t i = 0; i < context.role.port_map.size(); ++i) {
    const auto& [name, number] = context.role.port_map[i];
    if (number == 0) continue;  // the scheduler chooses a different free port for each such name
    const auto [first, is_new] = taken.emplace(number, &name);
    if (is_new) continue;
    context.warn_entry(
        rule::kDuplicatePort, "port_map", name, i,
        spec::quoted(*first->second) + " has port " + std::to_string(number) + " already", "");
  }
}

void check_replicas(const RoleContext& context) {
  const Role& role = context.role;
  if (role.max_retries == 0 && context.written("retry_policy") && !context.failed("max_retries")) {
    context.warn(rule::kRetriesWithoutEffect, "retry_policy",
                 std::string("the policy ") + to_string(role.retry_policy) +
                     " has no effect without retries",
                 "set max_retries");
  }
  if (role.min_replicas == role.num_replicas && context.written("min_replicas") &&
      !context.failed("num_replicas")) {
    context.warn(rule::kMinReplicasWithoutEffect, "min_replicas",
                 "min_replicas equals num_replicas",
                 "leave it out, or make it less to let the role run with fewer replicas");
  }
}

}  // namespace slipway::lint
