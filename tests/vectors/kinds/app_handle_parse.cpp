// op=parse converts a handle to [scheduler, session, app id]; op=make does the reverse.

#include "slipway/app_handle.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_app_handle_parse(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  if (op == "make") {
    const AppHandle handle{text_member(one.input, "scheduler"), text_member(one.input, "session"),
                           text_member(one.input, "app_id")};
    return json::value(to_string(handle));
  }
  if (op != "parse") throw BenchError("unknown op " + op);
  const AppHandle handle = parse_app_handle(text_member(one.input, "app_handle"));
  return json::array{json::value(handle.scheduler), json::value(handle.session),
                     json::value(handle.app_id)};
}

}  // namespace slipway::vectors
