#include "core/runner/run_record_json.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway {
namespace {

/// Returns the record with this run option, read from its stored text.
RunRecord stored_with_option(const Value& value) {
  RunRecord record;
  record.options.push_back({"o", value, "-c"});
  return parse_run_record(stored_run_record(record));
}

void check_is_kept(const StrDict& dict) {
  const RunRecord read = stored_with_option(dict);
  BOOST_TEST_REQUIRE(read.options.size() == 1U);
  BOOST_TEST((read.options[0].value == Value(dict)));
}

BOOST_AUTO_TEST_SUITE(run_record_json)

BOOST_AUTO_TEST_CASE(dictionary_with_a_key_that_is_not_utf_8_is_kept) {
  check_is_kept({{"\xff", "1"}, {"a", "\xfe"}});
}

BOOST_AUTO_TEST_CASE(dictionary_that_looks_like_an_encoded_string_or_dictionary_is_kept) {
  check_is_kept({{"bytes (hex)", "ff"}});
  check_is_kept({{"bytes (hex)", "no digits"}});
  check_is_kept({{"entries", "x"}});
  check_is_kept({{"entries", "\xff"}});
}

BOOST_AUTO_TEST_CASE(label_whose_key_is_not_utf_8_is_kept) {
  RunRecord record;
  record.labels = {{"\xff", "1"}};
  BOOST_TEST((parse_run_record(stored_run_record(record)).labels == record.labels));
}

BOOST_AUTO_TEST_CASE(usual_dictionary_is_stored_as_an_object) {
  RunRecord record;
  record.labels = {{"team", "ml"}};
  BOOST_TEST(stored_run_record(record).find(R"("labels":{"team":"ml"})") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
