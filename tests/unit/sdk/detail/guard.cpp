#include "slipway/detail/guard.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "tests/unit/sdk/recording_host.hpp"

namespace slipway::abi {
namespace {

using sdk_test::RecordingHost;

struct GuardFixture {
  RecordingHost host;
  slipway_error error;

  template <class F>
  slipway_status run(F&& body) {
    return guard(host.table(), &error, std::forward<F>(body));
  }
};

BOOST_FIXTURE_TEST_SUITE(Guard, GuardFixture)

BOOST_AUTO_TEST_CASE(a_body_that_returns_nothing_is_ok) {
  BOOST_TEST(run([] {}) == SLIPWAY_OK);
  BOOST_TEST(error.message.empty());
}

BOOST_AUTO_TEST_CASE(a_status_passes_through) {
  BOOST_TEST(run([]() -> slipway_status { return SLIPWAY_END; }) == SLIPWAY_END);
  BOOST_TEST(run([]() -> slipway_status { return SLIPWAY_E_DENIED; }) == SLIPWAY_E_DENIED);
}

BOOST_AUTO_TEST_CASE(an_error_becomes_its_code_with_message_and_hint) {
  BOOST_TEST(run([] { throw Error(Code::kNotFound, "no app", "list them"); }) ==
             SLIPWAY_E_NOT_FOUND);
  BOOST_TEST(error.code == SLIPWAY_E_NOT_FOUND);
  BOOST_TEST(error.message == "no app");
  BOOST_TEST(error.hint == "list them");
}

BOOST_AUTO_TEST_CASE(the_place_of_an_error_goes_before_its_message) {
  run([] { throw Error(Code::kInvalid, "bad value", {}, "app.toml:3:1"); });
  BOOST_TEST(error.message == "app.toml:3:1: bad value");
  BOOST_TEST(error.hint.empty());
}

BOOST_AUTO_TEST_CASE(any_other_exception_is_internal) {
  BOOST_TEST(run([] { throw std::runtime_error("boom"); }) == SLIPWAY_E_INTERNAL);
  BOOST_TEST(error.message == "boom");
  BOOST_TEST(run([] { throw std::bad_alloc(); }) == SLIPWAY_E_INTERNAL);
  BOOST_TEST(error.message == "out of memory");
  BOOST_TEST(run([] { throw 7; }) == SLIPWAY_E_INTERNAL);
  BOOST_TEST(error.message.find("unknown") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(stopping_callback_ends_the_body_and_keeps_its_message) {
  error.message = "the host's own";
  bool reached = false;
  const slipway_status status = run([&] {
    ok(SLIPWAY_OK);
    ok(SLIPWAY_AGAIN);
    ok(SLIPWAY_E_CANCELLED);
    reached = true;
  });
  BOOST_TEST(status == SLIPWAY_E_CANCELLED);
  BOOST_TEST(!reached);
  BOOST_TEST(error.message == "the host's own");
}

BOOST_AUTO_TEST_CASE(a_status_needs_neither_an_error_object_nor_error_set) {
  const auto fail = [] { throw Error(Code::kDenied, "no"); };
  BOOST_TEST(guard(host.table(), nullptr, fail) == SLIPWAY_E_DENIED);
  BOOST_TEST(guard(nullptr, &error, fail) == SLIPWAY_E_DENIED);
  host.table()->struct_size = SLIPWAY_FIELD_END(slipway_host, log);  // ends before error_set
  BOOST_TEST(run(fail) == SLIPWAY_E_DENIED);
  BOOST_TEST(error.message.empty());
}

BOOST_AUTO_TEST_CASE(assign_copies_the_text) {
  std::string out = "before";
  BOOST_TEST(assign(&out, view("after")) == SLIPWAY_OK);
  BOOST_TEST(out == "after");
  BOOST_TEST(assign(&out, {nullptr, 0}) == SLIPWAY_OK);
  BOOST_TEST(out.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::abi
