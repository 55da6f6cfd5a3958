#include "sdk/check/run/report.hpp"

#include <algorithm>

#include "slipway/json_text.hpp"

namespace slipway::check {

namespace {

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return "passed";
    case Verdict::kFailed: return "failed";
    case Verdict::kSkipped: return "skipped";
  }
  return "";
}

// Returns the first word of a line for people, padded to one width.
const char* label(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return "ok    ";
    case Verdict::kFailed: return "FAILED";
    case Verdict::kSkipped: return "skip  ";
  }
  return "";
}

std::string remedy_of(const Result& result) {
  return result.outcome.remedy.empty() ? result.check->remedy : result.outcome.remedy;
}

std::string member(const char* key, const std::string& value) {
  return json_quote(key) + ": " + json_quote(value);
}

}  // namespace

int count(const std::vector<Result>& results, Verdict verdict) {
  return static_cast<int>(std::count_if(results.begin(), results.end(), [&](const Result& result) {
    return result.outcome.verdict == verdict;
  }));
}

std::string text_of(const Result& result) {
  std::string out = std::string("  ") + label(result.outcome.verdict) + " " + result.check->name;
  if (!result.provider.empty()) out += " (" + result.provider + ")";
  if (result.outcome.verdict == Verdict::kSkipped) out += ": " + result.outcome.seen;
  out += "\n";
  if (result.outcome.verdict != Verdict::kFailed) return out;
  out += std::string("         rule: ") + result.check->rule + "\n";
  out += "         seen: " + result.outcome.seen + "\n";
  if (const std::string remedy = remedy_of(result); !remedy.empty())
    out += "         do:   " + remedy + "\n";
  return out;
}

std::string text_sums(const std::vector<Result>& results) {
  return std::to_string(count(results, Verdict::kPassed)) + " passed, " +
         std::to_string(count(results, Verdict::kFailed)) + " failed, " +
         std::to_string(count(results, Verdict::kSkipped)) + " skipped\n";
}

namespace {

std::string counts(const std::vector<Result>& results) {
  std::string out;
  for (const Verdict verdict : {Verdict::kPassed, Verdict::kFailed, Verdict::kSkipped})
    out += std::string(", \"") + word(verdict) + "\": " + std::to_string(count(results, verdict));
  return out;
}

std::string json_of(const Report& report) {
  const std::vector<Result>& results = report.results;
  std::string out = "{" + member("library", report.subject.library);
  if (report.subject.manifest) out += ", " + member("manifest", report.subject.manifest->path);
  out += counts(results) + ", \"checks\": [";
  const char* separator = "";
  for (const Result& result : results) {
    out += separator + ("{" + member("check", result.check->name));
    if (!result.provider.empty()) out += ", " + member("provider", result.provider);
    out += ", " + member("verdict", word(result.outcome.verdict));
    out += ", " + member("rule", result.check->rule);
    if (result.outcome.verdict != Verdict::kPassed)
      out += ", " + member("seen", result.outcome.seen);
    if (result.outcome.verdict == Verdict::kFailed) out += ", " + member("do", remedy_of(result));
    out += "}";
    separator = ", ";
  }
  return out + "]}";
}

}  // namespace

std::string json_report(const std::vector<Report>& reports, bool are_several) {
  if (!are_several) return json_of(reports.front()) + "\n";
  std::vector<Result> all;
  std::string plugins;
  for (const Report& report : reports) {
    all.insert(all.end(), report.results.begin(), report.results.end());
    plugins += (plugins.empty() ? "" : ", ") + json_of(report);
  }
  return "{" + member("manifest", reports.front().subject.manifest->path) + counts(all) +
         ", \"plugins\": [" + plugins + "]}\n";
}

std::string text_list() {
  std::string out;
  for (const Check& check : catalogue()) {
    std::string name = check.name;
    name.resize(std::max<std::size_t>(name.size(), 27), ' ');  // aligns the rules
    out += name + " " + check.rule + (check.needs == Needs::kApp ? " [--app]" : "") +
           (check.needs == Needs::kManifest ? " [manifest]" : "") + "\n";
  }
  return out;
}

std::string json_list() {
  std::string out = "{\"checks\": [";
  const char* separator = "";
  for (const Check& check : catalogue()) {
    std::string after;
    for (const std::string_view name : check.after)
      after += (after.empty() ? "" : ", ") + json_quote(name);
    out += separator + ("{" + member("check", check.name)) + ", " + member("rule", check.rule) +
           ", \"needs_app\": " + (check.needs == Needs::kApp ? "true" : "false") +
           ", \"after\": [" + after + "]}";
    separator = ", ";
  }
  return out + "]}\n";
}

}  // namespace slipway::check
