// A state's properties by its name, and its name by its number.

#include "slipway/app_state.hpp"

#include "slipway/error.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

AppState known(std::optional<AppState> state, const json::value& given) {
  if (!state) throw Error(Code::kInvalid, "no such app state: " + json::serialize(given));
  return *state;
}

}  // namespace

json::value run_app_state(VectorCase& one, Bench&) {
  if (const json::value* value = one.input.if_contains("value")) {
    boost::system::error_code not_a_number;
    const auto number = value->to_number<std::int64_t>(not_a_number);
    if (not_a_number) return json::value(to_string(known(std::nullopt, *value)));
    return json::value(to_string(known(app_state_from(number), *value)));
  }
  const AppState state =
      known(app_state_from(text_member(one.input, "state")), one.input.at("state"));
  const std::string name(to_string(state));
  const auto number = static_cast<std::int32_t>(state);
  return json::object{{"value", number},
                      {"str", name},
                      {"repr", name + " (" + std::to_string(number) + ")"},
                      {"is_terminal", is_terminal(state)},
                      {"is_started", is_started(state)},
                      {"format", name}};
}

}  // namespace slipway::vectors
