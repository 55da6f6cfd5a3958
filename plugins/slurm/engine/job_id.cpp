#include "plugins/slurm/engine/job_id.hpp"

#include <charconv>

namespace slipway::slurm {

StrList JobId::asking(StrList argv) const {
  if (!cluster.empty()) argv.push_back("--clusters=" + cluster);
  argv.push_back("-j");
  argv.push_back(std::to_string(number));
  return argv;
}

std::optional<JobId> parse_job_id(std::string_view text) {
  JobId out;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out.number);
  if (error != std::errc() || out.number <= 0) return std::nullopt;
  if (stop == end) return out;
  if (*stop != ';' || stop + 1 == end) return std::nullopt;
  out.cluster.assign(stop + 1, end);
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (out.cluster.find_first_not_of(kLetters) != std::string::npos) return std::nullopt;
  return out;
}

}  // namespace slipway::slurm
