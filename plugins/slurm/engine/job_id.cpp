#include "plugins/slurm/engine/job_id.hpp"

#include "sdk/support/plain_number.hpp"

namespace slipway::slurm {

StrList JobId::with_options(StrList argv) const {
  if (!cluster.empty()) argv.push_back("--clusters=" + cluster);
  argv.push_back("-j");
  argv.push_back(std::to_string(number));
  return argv;
}

std::optional<JobId> parse_job_id(std::string_view text) {
  const auto number = take_plain_number<std::int64_t>(text);
  if (!number || *number <= 0) return std::nullopt;
  JobId out;
  out.number = *number;
  if (text.empty()) return out;
  if (text.front() != ';' || text.size() == 1) return std::nullopt;
  out.cluster = text.substr(1);
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (out.cluster.find_first_not_of(kLetters) != std::string::npos) return std::nullopt;
  return out;
}

}  // namespace slipway::slurm
