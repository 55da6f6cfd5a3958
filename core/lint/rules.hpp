// The table of all lint rules.
#pragma once

#include <string_view>
#include <vector>

#include "core/spec/problem.hpp"

namespace slipway::lint {

struct Rule {
  std::string_view name;  ///< printed in brackets after a message: lower case words, with dashes
  spec::Severity severity = spec::Severity::kError;
  std::string_view what;  ///< what the rule finds, in one line
};

/// Returns every rule, including those of core/spec (core/spec/rule_names.hpp). Names are unique,
/// and each rule has a section in core/docs/lint.md.
const std::vector<Rule>& rules();

/// Returns the rule of that name, or nullptr.
const Rule* find_rule(std::string_view name);

namespace rule {

inline constexpr std::string_view kUnreadableFile = "unreadable-file";
inline constexpr std::string_view kUnknownMacro = "unknown-macro";
inline constexpr std::string_view kMacroNotSubstituted = "macro-not-substituted";
inline constexpr std::string_view kUnexpandedVariable = "unexpanded-variable";
inline constexpr std::string_view kEntrypointIsALine = "entrypoint-is-a-line";
inline constexpr std::string_view kEntrypointNotExecutable = "entrypoint-not-executable";
inline constexpr std::string_view kUnportableName = "unportable-name";
inline constexpr std::string_view kNameCollision = "name-collision";
inline constexpr std::string_view kPlainSecret = "plain-secret";
inline constexpr std::string_view kRedactedValue = "redacted-value";
inline constexpr std::string_view kReservedVariable = "reserved-variable";
inline constexpr std::string_view kMissingImage = "missing-image";
inline constexpr std::string_view kMountDestination = "mount-destination";
inline constexpr std::string_view kDuplicatePort = "duplicate-port";
inline constexpr std::string_view kRetriesWithoutEffect = "retries-without-effect";
inline constexpr std::string_view kMinReplicasWithoutEffect = "min-replicas-without-effect";
inline constexpr std::string_view kComponentSource = "component-source";
inline constexpr std::string_view kUnknownComponent = "unknown-component";
inline constexpr std::string_view kUndocumentedComponent = "undocumented-component";
inline constexpr std::string_view kUndocumentedParameter = "undocumented-parameter";
inline constexpr std::string_view kUnusedParameter = "unused-parameter";
inline constexpr std::string_view kIgnoredByScheduler = "ignored-by-scheduler";
inline constexpr std::string_view kRefusedByScheduler = "refused-by-scheduler";

}  // namespace rule
}  // namespace slipway::lint
