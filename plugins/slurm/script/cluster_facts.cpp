#include "plugins/slurm/script/cluster_facts.hpp"

#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

constexpr std::int64_t kUntrackedMb = 1000;  // as in TorchX

}  // namespace

SlurmVersion parse_version(std::string_view text) {
  const std::string given(trimmed(text));
  const std::size_t space = given.rfind(' ');
  std::string_view rest =
      std::string_view(given).substr(space == std::string::npos ? 0 : space + 1);
  const auto major = take_plain_number<std::int64_t>(rest);
  if (major && !rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    if (const auto minor = take_plain_number<std::int64_t>(rest))
      return {static_cast<int>(*major), static_cast<int>(*minor)};
  }
  throw Error(Code::kInvalid, "'" + given + "', which sinfo printed, is not a version of Slurm",
              "is the sinfo on PATH Slurm's?");
}

Partitions::Partitions(std::string_view sinfo_text) {
  for (std::string_view line : split_lines(sinfo_text)) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) continue;
    std::string_view rest = line.substr(comma + 1);
    const auto megabytes = take_plain_number<std::int64_t>(rest);
    if (!megabytes) continue;
    Partition one;
    one.name = line.substr(0, comma);
    one.memory_mb = *megabytes;
    // "2000+,4": nodes of different memory on one line
    const std::size_t count = rest.find(',');
    if (count != std::string_view::npos) {
      rest.remove_prefix(count + 1);
      one.nodes = take_plain_number<std::int64_t>(rest);
    }
    one.is_default = !one.name.empty() && one.name.back() == '*';
    if (one.is_default) one.name.pop_back();
    partitions_.push_back(std::move(one));
  }
}

bool Partitions::tracks_memory(const std::optional<std::string>& name) const {
  for (const Partition& one : partitions_) {
    if (name ? one.name == *name : one.is_default) return one.memory_mb > kUntrackedMb;
  }
  return true;
}

std::optional<std::int64_t> Partitions::nodes(const std::optional<std::string>& name) const {
  std::optional<std::int64_t> out;
  for (const Partition& one : partitions_) {
    const bool is_wanted = name ? one.name == *name : one.is_default;
    if (is_wanted && one.nodes) out = out.value_or(0) + *one.nodes;
  }
  return out;
}

std::optional<std::int64_t> config_number(std::string_view text, std::string_view name) {
  for (std::string_view line : split_lines(text)) {
    if (line.substr(0, name.size()) != name) continue;
    const std::size_t value = line.find_first_not_of(" =", name.size());
    if (value == std::string_view::npos) return std::nullopt;
    line.remove_prefix(value);
    return take_plain_number<std::int64_t>(line);
  }
  return std::nullopt;
}

}  // namespace slipway::slurm
