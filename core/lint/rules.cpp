#include "core/lint/rules.hpp"

#include <algorithm>

namespace slipway::lint {

const std::vector<Rule>& rules() {
  constexpr auto kError = spec::Severity::kError;
  constexpr auto kWarning = spec::Severity::kWarning;
  static const std::vector<Rule> table = {
      {rule::kUnreadableFile, kError, "a file that does not exist or cannot be read"},
      {spec::rule::kSyntax, kError, "a file that is not well-formed TOML or JSON"},
      {spec::rule::kUnknownKey, kError, "an unknown key"},
      {spec::rule::kDuplicateField, kError, "two keys with the same meaning"},
      {spec::rule::kIgnoredField, kWarning, "a field of TorchX that Slipway does not act on"},
      {spec::rule::kMissingField, kError, "a required field that is missing"},
      {spec::rule::kWrongType, kError, "a value of the wrong type"},
      {spec::rule::kWrongValue, kError, "a value that is not allowed here"},
      {spec::rule::kOutOfRange, kError, "a number that is too small or too large"},
      {spec::rule::kInvalidName, kError, "a name that cannot be a directory's name"},
      {spec::rule::kDuplicateRole, kError, "two roles with the same name"},
      {spec::rule::kInvalidVariable, kError, "a variable with an impossible name"},
      {spec::rule::kNulCharacter, kError,
       "a text with a NUL character, which would end the text early"},
      {spec::rule::kInvalidEncoding, kError, "a text that is not UTF-8"},
      {spec::rule::kInvalidMount, kError, "a mount that is malformed"},
      {spec::rule::kMountReadOnly, kWarning, "readonly=false, which also means read-only"},
      {spec::rule::kUnknownResource, kError, "a named resource that is not defined"},
      {spec::rule::kBrokenResource, kError, "a named resource whose definition cannot be used"},
      {spec::rule::kDeprecatedResource, kWarning, "a deprecated named resource"},
      {spec::rule::kInvalidTemplate, kError, "an invalid expression in a component's template"},
      {rule::kComponentSource, kError,
       "a mistake that a plug-in finds in a source file of components"},
      {rule::kUnknownComponent, kError, "FILE:NAME where the file has no component NAME"},
      {rule::kUndocumentedComponent, kWarning, "a component without help"},
      {rule::kUndocumentedParameter, kWarning, "a component's parameter without help"},
      {rule::kUnusedParameter, kWarning, "a parameter that the template does not use"},
      {rule::kUnknownMacro, kWarning, "a macro that is misspelt or not closed"},
      {rule::kMacroNotSubstituted, kWarning, "a macro in a field where macros are not substituted"},
      {rule::kUnexpandedVariable, kWarning, "a shell variable where no shell expands it"},
      {rule::kEntrypointIsALine, kWarning, "a whole command line as the entrypoint"},
      {rule::kEntrypointNotExecutable, kWarning,
       "an entrypoint that is a directory or not executable"},
      {rule::kUnportableName, kWarning, "a name that cluster schedulers do not accept"},
      {rule::kNameCollision, kWarning, "roles whose names become equal on Kubernetes"},
      {rule::kPlainSecret, kWarning, "a secret in the file"},
      {rule::kRedactedValue, kWarning, "the placeholder that is printed in place of a secret"},
      {rule::kReservedVariable, kWarning, "a variable that Slipway sets itself"},
      {rule::kMissingImage, kWarning, "an image that is a path and does not exist"},
      {rule::kMountDestination, kWarning,
       "a mount whose destination is not absolute or is used twice"},
      {rule::kDuplicatePort, kWarning, "two ports of a role with the same number"},
      {rule::kRetriesWithoutEffect, kWarning, "a retry policy without retries"},
      {rule::kMinReplicasWithoutEffect, kWarning, "min_replicas that equals num_replicas"},
      {rule::kIgnoredByScheduler, kWarning, "a field or run option that the scheduler ignores"},
      {rule::kRefusedByScheduler, kError, "an app that the scheduler refuses"},
  };
  return table;
}

const Rule* find_rule(std::string_view name) {
  const auto found = std::find_if(rules().begin(), rules().end(),
                                  [&](const Rule& rule) { return rule.name == name; });
  return found == rules().end() ? nullptr : &*found;
}

}  // namespace slipway::lint
