#include "core/cli/invocation/site_trust.hpp"

#include <grp.h>
#include <pwd.h>

#include <optional>
#include <string>

#include "core/spec/problem.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::cli {

namespace {

/// Returns the number of an account by its name, or the number that the name is; nothing for other
/// names.
template <class Id, class Find>
std::optional<Id> account_id(const std::string& name, Find find) {
  if (const auto id = find(name.c_str())) return id;
  return plain_number<Id>(name);
}

std::optional<uid_t> user_id(const std::string& name) {
  return account_id<uid_t>(name, [](const char* text) -> std::optional<uid_t> {
    const passwd* account = ::getpwnam(text);
    return account != nullptr ? std::optional<uid_t>(account->pw_uid) : std::nullopt;
  });
}

std::optional<gid_t> group_id(const std::string& name) {
  return account_id<gid_t>(name, [](const char* text) -> std::optional<gid_t> {
    const group* entry = ::getgrnam(text);
    return entry != nullptr ? std::optional<gid_t>(entry->gr_gid) : std::nullopt;
  });
}

}  // namespace

registry::TrustPolicy trust_policy(const config::SiteRules& site) {
  registry::TrustPolicy policy = registry::TrustPolicy::of_process(registry::process_is_elevated());
  for (const config::AccountName& owner : site.trusted_owners) {
    if (const auto id = user_id(owner.name)) policy.owners.push_back(*id);
  }
  for (const config::AccountName& group : site.trusted_groups) {
    if (const auto id = group_id(group.name)) policy.groups.push_back(*id);
  }
  return policy;
}

void check_site_accounts(const config::SiteRules& site, std::vector<spec::Problem>& problems) {
  const auto warn = [&](const config::AccountName& account, const char* what, const char* key) {
    problems.push_back(
        {spec::Severity::kWarning, account.where, key,
         std::string("this machine has no ") + what + " " + spec::quoted(account.name),
         "correct the name, or remove it", Code::kConfig});
  };
  for (const config::AccountName& owner : site.trusted_owners) {
    if (!user_id(owner.name)) warn(owner, "user", "site.trusted_owners");
  }
  for (const config::AccountName& group : site.trusted_groups) {
    if (!group_id(group.name)) warn(group, "group", "site.trusted_groups");
  }
}

}  // namespace slipway::cli
