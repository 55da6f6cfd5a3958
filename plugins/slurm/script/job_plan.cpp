#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

namespace {

constexpr std::string_view kOpen = "[slipway ";

}  // namespace

std::string file_name_of(const std::string& role) {
  std::string out;
  for (const char c : role) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\\') {
      out += "%5C";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string option_text(const std::string& name, const std::optional<std::string>& value) {
  return "--" + name + (value ? "=" + *value : std::string());
}

std::string clusters_of(const JobPlan& plan) {
  if (plan.parts.empty()) return {};
  const auto* clusters = find(plan.parts.front().sbatch, "clusters");
  return clusters != nullptr ? clusters->value_or("") : std::string();
}

std::string marked_comment(const std::optional<std::string>& comment, const std::string& mark) {
  const std::string own = std::string(kOpen) + mark + "]";
  return comment && !comment->empty() ? *comment + " " + own : own;
}

std::string mark_in(std::string_view comment) {
  const std::size_t start = comment.rfind(kOpen);
  if (start == std::string_view::npos || comment.back() != ']') return {};
  comment.remove_prefix(start + kOpen.size());
  comment.remove_suffix(1);
  return std::string(comment);
}

MarkedApp app_of_mark(std::string_view mark) {
  const std::size_t slash = mark.find('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view id = mark.substr(slash + 1);
  return {std::string(mark.substr(0, slash)), std::string(id.substr(0, id.rfind('-')))};
}

}  // namespace slipway::slurm
