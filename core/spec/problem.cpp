#include "core/spec/problem.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sdk/support/utf8.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::spec {
namespace {

constexpr std::size_t kMaxLines = 200;
constexpr std::size_t kMaxQuotedBytes = 60;

std::string lines_of(const std::vector<Problem>& problems, std::size_t omitted) {
  std::string text;
  const std::size_t lines = std::min(problems.size(), kMaxLines);
  for (std::size_t i = 0; i < lines; ++i) {
    if (i > 0) text.push_back('\n');
    text += to_string(problems[i]);
  }
  const std::size_t rest = problems.size() - lines + omitted;
  if (rest > 0) text += "\n… and " + std::to_string(rest) + " more";
  return text;
}

Code code_of(const std::vector<Problem>& problems) {
  const Problem* first = nullptr;
  for (const Problem& problem : problems) {
    if (problem.severity != Severity::kError) continue;
    if (first != nullptr && problem.code != first->code) return Code::kInvalid;
    first = &problem;
  }
  return first != nullptr ? first->code : Code::kInvalid;
}

}  // namespace

std::string to_string(const Position& position) {
  if (position.line == 0) return position.file;
  return position.file + ':' + std::to_string(position.line) + ':' +
         std::to_string(position.column);
}

std::string to_string(const Problem& problem) {
  std::string text = to_string(problem.where);
  if (!text.empty()) text += ": ";
  if (problem.severity == Severity::kWarning) text += "warning: ";
  if (!problem.key.empty()) text += problem.key + ": ";
  text += problem.message;
  if (!problem.hint.empty()) text += ", " + problem.hint;
  return visible_line(text);
}

std::string quoted(std::string_view text) {
  if (text.size() <= kMaxQuotedBytes) return '\'' + visible_line(text) + '\'';
  return '\'' + visible_line(utf8_prefix(text, kMaxQuotedBytes)) + "…'";
}

void ProblemList::add(Problem problem) {
  const bool is_error = problem.severity == Severity::kError;
  if (is_error && !keys_with_errors_.insert(problem.key).second) return;
  if (filter_ && !filter_(problem)) return;
  // Keeps the first error even after many warnings.
  const bool is_first_error = is_error && !keeps_error_;
  if (problems_.size() >= kMaxProblems && !is_first_error) {
    ++omitted_;
    return;
  }
  keeps_error_ = keeps_error_ || is_error;
  problems_.push_back(std::move(problem));
}

std::vector<Problem> ProblemList::in_order() const {
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  });
  return sorted;
}

std::vector<Problem> ProblemList::warnings() const {
  std::vector<Problem> found = in_order();
  std::erase_if(found, [](const Problem& problem) { return problem.severity == Severity::kError; });
  return found;
}

void ProblemList::throw_if_errors() const {
  if (has_errors()) throw InvalidApp(in_order(), omitted_);
}

InvalidApp::InvalidApp(std::vector<Problem> problems, std::size_t omitted)
    : Error(code_of(problems), lines_of(problems, omitted)), problems_(std::move(problems)) {}

}  // namespace slipway::spec
