// The accounts that the site's configuration trusts, as this machine knows them.
#pragma once

#include <vector>

#include "core/config/config_file.hpp"
#include "core/registry/manifests/trust.hpp"

namespace slipway::cli {

/// Returns the policy of this process with the accounts that the site lists. Accounts that this
/// machine does not know are left out.
registry::TrustPolicy trust_policy(const config::SiteRules& site);

/// Appends a warning for each account in the site's lists that this machine does not know.
void check_site_accounts(const config::SiteRules& site, std::vector<spec::Problem>& problems);

}  // namespace slipway::cli
