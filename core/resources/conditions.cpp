#include "core/resources/conditions.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/other_tools.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resource_table.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/python_numbers.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"

namespace slipway::resources {
namespace {

constexpr std::string_view kDevices = "devices.";
constexpr std::string_view kCapabilities = "capabilities.";

[[noreturn]] void refuse(std::string_view piece, const std::string& why, std::string hint) {
  throw Error(Code::kUsage, spec::quoted(piece) + " " + why, std::move(hint));
}

Comparison comparison_of(std::string_view piece, std::string_view sign) {
  if (sign == ">=") return Comparison::kAtLeast;
  if (sign == "<=") return Comparison::kAtMost;
  if (sign == ">") return Comparison::kMore;
  if (sign == "<") return Comparison::kLess;
  if (sign == "=" || sign == "==") return Comparison::kEqual;
  if (sign == "!=") return Comparison::kUnequal;
  refuse(piece, "is not a condition", "write it as gpu>=2");
}

std::int64_t number_of(std::string_view piece, std::string_view field, std::string_view text) {
  const auto number = plain_number<std::int64_t>(text);
  if (!number)
    refuse(piece, "compares with " + spec::quoted(text) + ", which is not a whole number",
           spec::hint_for_number(field, text));
  return *number;
}

/// Returns a number of CPUs in thousandths.
std::int64_t milli_of(std::string_view piece, std::string_view text) {
  const auto number = plain_number<double>(text);
  const auto cpus = number ? CpuCount::of(*number) : std::nullopt;
  if (!cpus)
    refuse(piece, "compares with " + spec::quoted(text) + ", which is not a number of CPUs", {});
  return cpus->milli();
}

Condition parse_condition(std::string_view piece) {
  const std::size_t sign = piece.find_first_of("<>=!");
  if (piece.empty() || sign == std::string_view::npos)
    refuse(piece, "is not a condition", "write it as gpu>=2");
  const std::size_t value_at = piece.find_first_not_of("<>=!", sign);
  const std::string_view value =
      value_at == std::string_view::npos ? std::string_view() : trimmed(piece.substr(value_at));
  Condition out;
  out.field = trimmed(piece.substr(0, sign));
  out.comparison = comparison_of(piece, piece.substr(sign, value_at - sign));
  if (out.field.rfind(kCapabilities, 0) == 0) {
    if (out.comparison != Comparison::kEqual && out.comparison != Comparison::kUnequal)
      refuse(piece, "compares a capability, which is a text", "use = or !=");
    out.text = value;
  } else if (out.field == "mem") {
    out.field = "memMB";
    try {
      out.number = spec::parse_memory(value);
    } catch (const Error& error) {
      refuse(piece, "compares the memory: " + error.message(), error.hint());
    }
  } else if (out.field == "cpu") {
    out.number = milli_of(piece, value);
  } else if (out.field == "gpu" || out.field == "memMB" || out.field.rfind(kDevices, 0) == 0) {
    out.number = number_of(piece, out.field, value);
  } else {
    static const std::vector<std::string_view> known = {"cpu", "gpu", "memMB", "mem"};
    const std::string near = spec::did_you_mean(out.field, known);
    refuse(
        piece, "names an unknown field",
        near.empty() ? "fields are cpu, gpu, memMB, mem, devices.NAME and capabilities.KEY" : near);
  }
  return out;
}

bool holds(std::int64_t value, Comparison comparison, std::int64_t bound) {
  switch (comparison) {
    case Comparison::kAtLeast: return value >= bound;
    case Comparison::kAtMost: return value <= bound;
    case Comparison::kMore: return value > bound;
    case Comparison::kLess: return value < bound;
    case Comparison::kEqual: return value == bound;
    case Comparison::kUnequal: break;
  }
  return value != bound;
}

/// Returns a capability as the text that a condition compares: a string itself, 0.5 as "0.5", other
/// JSON as is.
std::optional<std::string> capability(const Resource& resource, std::string_view key) {
  if (resource.capabilities_json.empty()) return std::nullopt;
  const boost::json::value all = parse_deep_json(resource.capabilities_json);
  const boost::json::value* found = all.as_object().if_contains(key);
  if (found == nullptr) return std::nullopt;
  if (found->is_double()) return float_text(found->get_double());
  return found->is_string() ? std::string(found->as_string()) : boost::json::serialize(*found);
}

bool fits(const Resource& resource, const Condition& condition) {
  const std::string_view field = condition.field;
  if (field.substr(0, kCapabilities.size()) == kCapabilities) {
    const auto text = capability(resource, field.substr(kCapabilities.size()));
    const bool is_equal = text && *text == condition.text;
    return is_equal == (condition.comparison == Comparison::kEqual);
  }
  if (field.substr(0, kDevices.size()) == kDevices) {
    const std::int64_t* count = find(resource.devices, field.substr(kDevices.size()));
    return holds(count != nullptr ? *count : 0, condition.comparison, condition.number);
  }
  const bool is_cpu = field == "cpu";
  const std::int64_t value = is_cpu           ? resource.cpu.milli()
                             : field == "gpu" ? resource.gpu
                                              : resource.mem_mb;
  if (is_cpu ? !resource.cpu.is_set() : value == -1)
    return condition.comparison == Comparison::kUnequal;
  return holds(value, condition.comparison, condition.number);
}

}  // namespace

std::vector<Condition> parse_conditions(std::string_view text) {
  std::vector<Condition> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    out.push_back(parse_condition(trimmed(text.substr(from, comma - from))));
    from = comma + 1;
  }
  return out;
}

bool fits(const Resource& resource, const std::vector<Condition>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return fits(resource, condition); });
}

}  // namespace slipway::resources
