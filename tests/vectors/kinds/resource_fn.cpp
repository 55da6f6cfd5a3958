// Returns a resource by name or by numbers. Looks up names in the plug-ins under test.

#include "core/spec/app_json.hpp"
#include "slipway/resource_request.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

template <class Number>
Number number_member(const json::object& input, std::string_view key) {
  const json::value* value = input.if_contains(key);
  if (value == nullptr) return 0;
  boost::system::error_code not_whole;
  const auto number = value->to_number<Number>(not_whole);
  if (not_whole) throw BenchError(std::string(key) + " is not a whole number");
  return number;
}

}  // namespace

json::value run_resource_fn(VectorCase& one, Bench& bench) {
  ResourceRequest asked;
  if (const json::value* cpu = one.input.if_contains("cpu"))
    asked.cpu = CpuCount::of(cpu->to_number<double>()).value();
  asked.gpu = number_member<std::int32_t>(one.input, "gpu");
  asked.mem_mb = number_member<std::int64_t>(one.input, "memMB");
  if (one.input.contains("h")) asked.h = text_member(one.input, "h");
  return spec::to_json(
      resource(asked, [&](const std::string& name) { return bench.resources().get(name); }));
}

}  // namespace slipway::vectors
