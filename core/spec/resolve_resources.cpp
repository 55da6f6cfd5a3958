#include "core/spec/resolve_resources.hpp"

#include <unordered_map>
#include <utility>

#include "core/spec/near_name.hpp"

namespace slipway::spec {
namespace {

// What a name stands for, or why it stands for nothing.
struct Answer {
  std::optional<NamedResource> resource;
  std::string message;
  std::string hint;
  Code code = Code::kNotFound;
  std::string_view rule = rule::kUnknownResource;
};

// The names there are, as many as a person reads.
std::string known_resources(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i)
    out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kShown) out += ", ...";
  return out.empty() ? "no named resource is known" : "known are " + out;
}

}  // namespace

void resolve_resources(AppFile& file, const ResourceResolver& resolver,
                       const ResourceNames& known_names, ProblemList& problems) {
  std::unordered_map<std::string, Answer> answers;
  std::optional<std::vector<std::string>> names;

  const auto ask = [&](const std::string& name) {
    Answer answer;
    try {
      answer.resource = resolver(name);
      if (answer.resource) return answer;
      if (!names) names = known_names ? known_names() : std::vector<std::string>();
      answer.message = "unknown resource " + quoted(name);
      answer.hint = did_you_mean(name, *names);
      if (answer.hint.empty()) answer.hint = known_resources(*names);
    } catch (const Error& error) {
      answer.message = "cannot look up the resource " + quoted(name) + ": " + error.message();
      answer.hint = error.hint();
      answer.code = error.code();
      answer.rule = rule::kBrokenResource;
    }
    return answer;
  };

  for (std::size_t i = 0; i < file.resource_names.size(); ++i) {
    std::string& name = file.resource_names[i];
    if (name.empty()) continue;
    auto known = answers.find(name);
    if (known == answers.end()) known = answers.emplace(name, ask(name)).first;
    const Answer& answer = known->second;
    const Mark at = file.marks[i].at("resource");
    const Position where{file.source, at.line, at.column};
    const std::string key = "roles[" + std::to_string(i) + "].resource";
    if (answer.resource) {
      Role& role = file.app.roles[i];
      role.resource = answer.resource->resource;
      for (const auto& [scheduler, resource] : answer.resource->on_schedulers)
        role.require(resource, scheduler);
      if (!answer.resource->deprecated.empty()) {
        problems.add({Severity::kWarning, where, key, quoted(name) + " is deprecated",
                      answer.resource->deprecated, Code::kInvalid, rule::kDeprecatedResource});
      }
      name.clear();
      continue;
    }
    problems.add(
        {Severity::kError, where, key, answer.message, answer.hint, answer.code, answer.rule});
  }
}

}  // namespace slipway::spec
