// op=split splits a text into lines; op=iter splits chunks, each on its own.

#include "slipway/lines.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

void append_lines(const std::string& text, json::array& out) {
  for (const std::string_view line : split_lines(text)) out.emplace_back(line);
}

}  // namespace

json::value run_split_lines(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  json::array out;
  if (op == "split") {
    append_lines(text_member(one.input, "text"), out);
  } else if (op == "iter") {
    for (const std::string& chunk : texts(member(one.input, "chunks"))) append_lines(chunk, out);
  } else {
    throw BenchError("unknown op " + op);
  }
  return out;
}

}  // namespace slipway::vectors
