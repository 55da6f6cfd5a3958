// op=prefix prints a line; op=replicas returns the replicas of an app whose logs are shown, of one
// role or of all.

#include "core/logs/line_printer.hpp"
#include "slipway/logs.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {
namespace {

json::value replicas(const VectorCase& one) {
  const AppDef app = app_of(member(one.input, "app"));
  LogQuery query;
  if (!member(one.input, "role").is_null())
    query.targets.push_back({text_member(one.input, "role"), {}});
  json::array out;
  for (const Role& role : app.roles) {
    for (std::int32_t id = 0; id < role.num_replicas; ++id) {
      if (query.wants(role.name, id)) out.push_back(json::array{role.name, id});
    }
  }
  return out;
}

}  // namespace

json::value run_log_prefix(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  if (op == "replicas") return replicas(one);
  if (op != "prefix") throw BenchError("unknown op " + op);
  std::string out;
  logs::append_prefixed(text_member(one.input, "prefix"), text_member(one.input, "line"), out);
  return json::value(out);
}

}  // namespace slipway::vectors
