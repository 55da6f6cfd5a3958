// Names for the engine: the rules of apps that all schedulers of this repository share
// (sdk/support/rules), without their namespace.
#pragma once

#include "sdk/support/rules/end_reason.hpp"
#include "sdk/support/rules/life_options.hpp"
#include "sdk/support/rules/option_kinds.hpp"
#include "sdk/support/rules/retry_rules.hpp"
#include "sdk/support/rules/start_rules.hpp"

namespace slipway::local {

using rules::Backoff;
using rules::Dependency;
using rules::LifeRules;
using rules::ReadyProbe;
using rules::Reason;
using rules::reason_name;
using rules::reason_of;
using rules::RetryFilter;
using rules::RetryScope;
using rules::RoleRules;
using rules::seconds_text;

using rules::BackoffParts;
using rules::Choice;
using rules::ChosenFlag;
using rules::Count;
using rules::FailureList;
using rules::Flag;
using rules::Mebibytes;
using rules::Option;
using rules::OptionalCount;
using rules::Real;
using rules::Seconds;
using rules::Text;
using rules::TextList;
using rules::visit_life_options;
using rules::visit_parts;

}  // namespace slipway::local
