#include "core/cli/apps/log_identifier.hpp"

#include <algorithm>
#include <string_view>

#include "core/spec/problem.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::cli {

namespace {

constexpr std::size_t kMostReplicas = 1'000'000;  // of one text, so that it cannot fill the memory
constexpr std::size_t kAppParts = 2;              // session and app id

[[noreturn]] void throw_usage(const std::string& text, const std::string& why) {
  throw Error(Code::kUsage, spec::quoted(text) + " does not name replicas of an app: " + why,
              "write APP, APP/ROLE,ROLE2 or APP/ROLE/0,2-4");
}

/// Returns the numbers in `list`, such as "0,2-4". `text` is the whole identifier, for the error.
std::vector<std::int32_t> parse_replicas(const std::string& text, std::string_view list) {
  std::vector<std::int32_t> out;
  do {
    const std::string_view item = list.substr(0, list.find(','));
    const std::size_t dash = item.find('-');
    const auto first = plain_number<std::int32_t>(item.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : plain_number<std::int32_t>(item.substr(dash + 1));
    if (!first || !last || *last < *first)
      throw_usage(text, spec::quoted(item) + " is not the number of a replica, or a range of them");
    if (out.size() + static_cast<std::size_t>(*last - *first) >= kMostReplicas)
      throw_usage(text, "it names more than a million replicas");
    // Counts the replicas, because an id after the largest int32_t would overflow.
    for (std::int32_t i = 0; i <= *last - *first; ++i) out.push_back(*first + i);
    list.remove_prefix(std::min(item.size() + 1, list.size()));
  } while (!list.empty());
  return out;
}

}  // namespace

std::vector<std::string> slash_parts(const std::string& text, std::size_t start) {
  std::vector<std::string> out;
  for (std::size_t from = start; from <= text.size();) {
    const std::size_t slash = std::min(text.find('/', from), text.size());
    out.push_back(text.substr(from, slash - from));
    from = slash + 1;
  }
  return out;
}

void parse_log_replicas(const std::string& text, const std::vector<std::string>& parts,
                        std::size_t first, ReplicaSelection& out) {
  if (parts.size() > first + 2) throw_usage(text, "it has too many parts");
  if (parts.size() > first) {
    // Commas alone would choose no role, which stands for all replicas.
    if (parts[first].find_first_not_of(',') == std::string::npos)
      throw_usage(text, "the role's name is empty");
    out.role = parts[first];
  }
  if (parts.size() > first + 1) out.replicas = parse_replicas(text, parts[first + 1]);
}

ReplicaSelection parse_log_identifier(const std::string& text, const std::string& session) {
  std::string line = text;
  if (!line.empty() && line.back() == '\n') line.pop_back();
  const std::size_t scheduler_end = line.find(kSchedulerEnd);
  const bool has_scheduler = scheduler_end != std::string::npos;
  const std::size_t start = has_scheduler ? scheduler_end + kSchedulerEnd.size() : 0;
  const std::vector<std::string> parts = slash_parts(line, start);
  ReplicaSelection out;
  const bool has_app = has_scheduler && parts.size() >= kAppParts;
  if (has_app && parts[1].empty()) throw MalformedAppHandle(line);
  // Without an app, parse_app_handle() throws the error about the line.
  out.app = parse_app_handle(has_app ? line.substr(0, start) + parts[0] + "/" + parts[1] : line);
  if (out.app.session.empty()) out.app.session = session;
  parse_log_replicas(text, parts, kAppParts, out);
  return out;
}

}  // namespace slipway::cli
