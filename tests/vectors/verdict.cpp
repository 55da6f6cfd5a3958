#include "tests/vectors/verdict.hpp"

#include "slipway/error.hpp"

namespace slipway::vectors {
namespace {

// Codes that say "Slipway is at fault" or "try again": an error of that kind answers no case.
bool answers(Code code) {
  switch (code) {
    case Code::kUnimplemented:
    case Code::kUnavailable:
    case Code::kTimeout:
    case Code::kInternal:
    case Code::kAbi:
    case Code::kTemporary: return false;
    default: return true;
  }
}

std::string described(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.code())) + ": " + error.message();
}

}  // namespace

std::optional<Difference> judge(const Kind& kind, VectorCase one, Bench& bench) {
  const std::string wanted = one.error ? "error " + shown(*one.error) : "a value";
  try {
    const json::value got = kind.run(one, bench);
    if (!one.expected) return Difference{"$", wanted, shown(got)};
    return first_difference(*one.expected, got, kind.ordered_levels);
  } catch (const Error& error) {
    if (one.error && answers(error.code())) return std::nullopt;
    return Difference{"$", one.expected ? shown(*one.expected) : wanted, described(error)};
  } catch (const std::exception& error) {
    return Difference{"$", wanted, std::string("no answer: ") + error.what()};
  }
}

}  // namespace slipway::vectors
