#include "core/registry/queries/query_process.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipway::registry {
namespace {

std::vector<QueryAnswer> answers_of(const std::vector<PluginQuery>& queries) {
  std::vector<QueryAnswer> out(queries.size());
  run_queries(queries, std::chrono::seconds(60),
              [&](std::size_t index, QueryAnswer answer) { out[index] = std::move(answer); });
  return out;
}

BOOST_AUTO_TEST_SUITE(QueryProcesses)

BOOST_AUTO_TEST_CASE(an_error_of_a_query_is_its_answer) {
  const auto answers = answers_of({{"org.example.a", "", [](const QueryPipe&) {
                                      throw Error(Code::kDenied, "not today", "ask tomorrow");
                                    }}});
  BOOST_REQUIRE(answers[0].error.has_value());
  BOOST_TEST((answers[0].error->code() == Code::kDenied));
  BOOST_TEST(answers[0].error->message() == "not today");
  BOOST_TEST(answers[0].error->hint() == "ask tomorrow");
  BOOST_TEST(answers[0].failure == "");
}

// Such an exception unwound the stack of the command in the query process, which destroyed its
// copies of the other queries, and so killed their processes.
BOOST_AUTO_TEST_CASE(any_other_exception_of_a_query_ends_that_query_alone) {
  const auto answers = answers_of({
      {"org.example.slow", "",
       [](const QueryPipe& pipe) {
         pipe.reply("first");
         std::string lines;
         for (int i = 0; i < 200'000; ++i) lines += std::to_string(i);
         pipe.reply(std::to_string(lines.size()));
       }},
      {"org.example.throwing", "",
       [](const QueryPipe&) { throw std::length_error("basic_string::_M_create"); }},
      {"org.example.odd", "", [](const QueryPipe&) { throw 7; }},
  });
  BOOST_TEST((answers[0].replies == std::vector<std::string>{"first", "1088890"}));
  BOOST_TEST(answers[0].failure == "");
  for (const std::size_t i : {1u, 2u}) {
    BOOST_TEST_CONTEXT("query " << i) {
      BOOST_REQUIRE(answers[i].error.has_value());
      BOOST_TEST((answers[i].error->code() == Code::kInternal));
      BOOST_TEST(answers[i].failure == "");
    }
  }
  BOOST_TEST(answers[1].error->message().ends_with("basic_string::_M_create"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
