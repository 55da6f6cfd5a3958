#include "core/lint/rules.hpp"

#include <algorithm>

namespace slipway::lint {

const std::vector<Rule>& rules() {
  constexpr auto kError = spec::Severity::kError;
  constexpr auto kWarning = spec::Severity::kWarning;
  static const std::vector<Rule> table = {
      {rule::kUnreadableFile, kError, "a file that is not there or cannot be read"},
      {spec::rule::kSyntax, kError, "the file is no well-formed TOML or JSON text"},
      {spec::rule::kUnknownKey, kError, "a key that nobody knows"},
      {spec::rule::kDuplicateField, kError, "two keys that say the same thing"},
      {spec::rule::kIgnoredField, kWarning, "a field of TorchX that Slipway does not act on"},
      {spec::rule::kMissingField, kError, "something that has to be given is not there"},
      {spec::rule::kWrongType, kError, "a value of the wrong type"},
      {spec::rule::kWrongValue, kError, "a value that means nothing here"},
      {spec::rule::kOutOfRange, kError, "a number that is too small or too large"},
      {spec::rule::kInvalidName, kError, "a name that cannot be a directory's name"},
      {spec::rule::kDuplicateRole, kError, "two roles of one name"},
      {spec::rule::kInvalidVariable, kError, "a variable with an impossible name"},
      {spec::rule::kNulCharacter, kError,
       "a text with a NUL character, where a process would end it"},
      {spec::rule::kInvalidMount, kError, "a mount that cannot be understood"},
      {spec::rule::kMountReadOnly, kWarning, "readonly=false, which means read only"},
      {spec::rule::kUnknownResource, kError, "a named resource that nobody defines"},
      {spec::rule::kBrokenResource, kError, "a named resource whose definition cannot be used"},
      {spec::rule::kDeprecatedResource, kWarning, "a named resource that will go away"},
      {spec::rule::kInvalidTemplate, kError,
       "an expression in a component's template that means nothing"},
      {rule::kUnknownComponent, kError, "FILE:NAME where the file has no component NAME"},
      {rule::kUndocumentedComponent, kWarning, "a component without help"},
      {rule::kUndocumentedParameter, kWarning, "a component's parameter without help"},
      {rule::kUnusedParameter, kWarning, "a parameter that the template does not use"},
      {rule::kUnknownMacro, kWarning, "what looks like a macro with its name misspelt"},
      {rule::kMacroNotSubstituted, kWarning, "a macro in a field where macros stay as they are"},
      {rule::kUnexpandedVariable, kWarning, "a shell variable where there is no shell"},
      {rule::kEntrypointIsALine, kWarning, "a whole command line as the entrypoint"},
      {rule::kUnportableName, kWarning, "a name that cluster schedulers do not accept"},
      {rule::kNameCollision, kWarning, "roles whose names are one on Kubernetes"},
      {rule::kPlainSecret, kWarning, "a secret that is written into the file"},
      {rule::kRedactedValue, kWarning, "the word that is shown in place of a secret"},
      {rule::kReservedVariable, kWarning, "a variable that Slipway sets itself"},
      {rule::kMissingImage, kWarning, "an image that is a path and is not there"},
      {rule::kMountDestination, kWarning,
       "a mount to no absolute path, or to where another one is"},
      {rule::kDuplicatePort, kWarning, "two ports of a role with one number"},
      {rule::kRetriesWithoutEffect, kWarning, "a retry policy, but no retries"},
      {rule::kMinReplicasWithoutEffect, kWarning, "min_replicas that equals num_replicas"},
      {rule::kIgnoredByScheduler, kWarning, "a field that the scheduler will not act on"},
      {rule::kRefusedByScheduler, kError, "an app that the scheduler will not take"},
  };
  return table;
}

const Rule* find_rule(std::string_view name) {
  const auto found = std::find_if(rules().begin(), rules().end(),
                                  [&](const Rule& rule) { return rule.name == name; });
  return found == rules().end() ? nullptr : &*found;
}

}  // namespace slipway::lint
