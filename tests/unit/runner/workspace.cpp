#include "core/runner/workspace.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "slipway/error.hpp"
#include "tests/unit/spec/temporary_directory.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(RecordedCopies)

BOOST_AUTO_TEST_CASE(recorded_copy_becomes_the_value_of_the_recorded_run_option) {
  const spec::test::TemporaryDirectory directory;
  RecordedWorkspace recorded;
  recorded.image = directory.path("copy");
  std::filesystem::create_directory(recorded.image);
  Dict<Value> options = {{"copy", std::string("/elsewhere")}};
  use_recorded_copy(recorded, options);
  BOOST_TEST((*find(options, "copy") == Value(std::string("/elsewhere"))));
  recorded.option = "copy";
  use_recorded_copy(recorded, options);
  BOOST_TEST((*find(options, "copy") == Value(recorded.image)));
}

BOOST_AUTO_TEST_CASE(recorded_copy_that_was_deleted_is_not_used) {
  RecordedWorkspace recorded;
  recorded.image = "/no/such/copy";
  recorded.option = "copy";
  Dict<Value> options;
  BOOST_CHECK_EXCEPTION(use_recorded_copy(recorded, options), Error, [](const Error& error) {
    return error.code() == Code::kNotFound &&
           error.message().find("/no/such/copy") != std::string::npos;
  });
  BOOST_TEST(options.empty());
  // An image that is not a path is the scheduler's to check.
  recorded.image = "registry/image:1";
  BOOST_CHECK_NO_THROW(use_recorded_copy(recorded, options));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
