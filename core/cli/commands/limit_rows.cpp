#include "core/cli/commands/limit_rows.hpp"

#include "core/cli/output/json_output.hpp"
#include "core/config/limits.hpp"

namespace slipway::cli {

namespace {

const char* kind_name(config::Limit::Kind kind) {
  switch (kind) {
    case config::Limit::Kind::kMinimum: return "minimum";
    case config::Limit::Kind::kMaximum: return "maximum";
    case config::Limit::Kind::kAllowed: break;
  }
  return "allowed";
}

}  // namespace

std::string limit_text(const config::Limit& limit) {
  return (limit.table_key.empty() ? "" : limit.table_key + ": ") + config::rule_text(limit);
}

boost::json::object limit_json(const config::Limit& limit) {
  std::string value;
  spec::append_json(limit.value, value);
  return {{"key", config::to_string(limit.key)},
          {"entry", text_or_null(limit.table_key)},
          {"kind", kind_name(limit.kind)},
          {"value", boost::json::parse(value)},
          {"where", to_string(limit.where)},
          {"file", limit.where.file},
          {"line", limit.where.line},
          {"column", limit.where.column}};
}

}  // namespace slipway::cli
