#include "slipway/host.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "slipway/own_directory.hpp"
#include "tests/unit/sdk/recording_host.hpp"

namespace slipway {
namespace {

using sdk_test::RecordingHost;

BOOST_AUTO_TEST_SUITE(HostServices)

BOOST_AUTO_TEST_CASE(messages_reach_the_host) {
  RecordingHost host;
  Host(host.table()).log(LogLevel::kInfo, "hello");
  BOOST_TEST(host.messages == std::vector<std::string>{"hello"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(missing_host_function_is_not_called) {
  RecordingHost host;
  host.table()->struct_size = SLIPWAY_FIELD_END(slipway_host, ctx);
  const Host older(host.table());
  older.log(LogLevel::kInfo, "hello");
  BOOST_TEST(host.messages.empty());
  BOOST_TEST((older.extension<int>(SLIPWAY_HOST_STATE_DIR) == nullptr));
  Host().log(LogLevel::kInfo, "hello");  // without a table: no effect
}

BOOST_AUTO_TEST_CASE(the_state_directory_is_the_hosts) {
  RecordingHost host;
  static const slipway_host_state_dir service = {
      sizeof(slipway_host_state_dir), 0,
      [](const slipway_host*, slipway_on_str on_path, void* ctx, slipway_error*) {
        return on_path(ctx, abi::view("/state"));
      }};
  host.state_dir = &service;
  BOOST_TEST(Host(host.table()).state_dir(Call()) == "/state");
}

BOOST_AUTO_TEST_CASE(own_directory_is_made_once_and_belongs_to_the_user_alone) {
  static std::string state;
  char name[] = "/tmp/slipway-state-XXXXXX";
  BOOST_REQUIRE(::mkdtemp(name) != nullptr);
  state = name;
  RecordingHost host;
  static const slipway_host_state_dir service = {
      sizeof(slipway_host_state_dir), 0,
      [](const slipway_host*, slipway_on_str on_path, void* ctx, slipway_error*) {
        return on_path(ctx, abi::view(state));
      }};
  host.state_dir = &service;
  const auto make = [&](const char* own) {
    return make_own_directory(Host(host.table()), own, Call());
  };
  const auto refused = [&](const char* own, Code code) {
    BOOST_CHECK_EXCEPTION(make(own), Error, [&](const Error& e) { return e.code() == code; });
  };
  const std::string path = make("mine");
  BOOST_TEST(path == state + "/mine");
  struct stat info {};
  BOOST_TEST_REQUIRE(::stat(path.c_str(), &info) == 0);
  BOOST_TEST((info.st_mode & 07777) == 0700U);
  BOOST_TEST(make("mine") == path);
  ::chmod(path.c_str(), 0770);
  refused("mine", Code::kDenied);
  ::symlink("/tmp", (state + "/link").c_str());
  refused("link", Code::kDenied);
  refused("missing/mine", Code::kCantCreate);
  ::chmod(state.c_str(), 0777);
  refused("new", Code::kDenied);
  BOOST_TEST(!std::filesystem::exists(state + "/new"));
  std::filesystem::remove_all(state);
  refused("new", Code::kCantCreate);
}

BOOST_AUTO_TEST_CASE(a_service_that_fails_ends_the_call_with_its_status) {
  RecordingHost host;
  static const slipway_host_state_dir service = {
      sizeof(slipway_host_state_dir), 0,
      [](const slipway_host*, slipway_on_str, void*, slipway_error*) -> slipway_status {
        return SLIPWAY_E_PRECONDITION;
      }};
  host.state_dir = &service;
  const slipway_status status =
      abi::guard(host.table(), nullptr, [&] { Host(host.table()).state_dir(Call()); });
  BOOST_TEST(status == SLIPWAY_E_PRECONDITION);
}

BOOST_AUTO_TEST_CASE(a_missing_service_is_unimplemented) {
  RecordingHost host;
  BOOST_CHECK_EXCEPTION(Host(host.table()).state_dir(Call()), Error,
                        [](const Error& error) { return error.code() == Code::kUnimplemented; });
}

BOOST_AUTO_TEST_CASE(context_of_a_newer_host_is_passed_on_whole) {
  struct Newer {
    slipway_call known;
    std::uint64_t unknown;
  } given{abi::sized<slipway_call>(), 1};
  given.known.struct_size = sizeof given;
  const Call call(&given.known, nullptr, nullptr);
  BOOST_TEST(call.context() == &given.known);
  BOOST_TEST(Call().context()->struct_size == sizeof(slipway_call));
}

BOOST_AUTO_TEST_CASE(call_reports_its_cancellation) {
  RecordingHost host;
  slipway_cancel cancel;
  auto raw = abi::sized<slipway_call>();
  raw.cancel = &cancel;
  raw.deadline_ns = 5;
  const Call call(&raw, host.table(), nullptr);
  BOOST_TEST(!call.cancelled());
  BOOST_TEST(call.deadline_ns() == 5);
  call.check();
  cancel.requested = true;
  BOOST_TEST(call.cancelled());
  BOOST_CHECK_EXCEPTION(call.check(), Error,
                        [](const Error& error) { return error.code() == Code::kCancelled; });
}

BOOST_AUTO_TEST_CASE(a_call_without_a_way_to_cancel_is_never_cancelled) {
  RecordingHost host;
  BOOST_TEST(!Call(nullptr, host.table(), nullptr).cancelled());
  BOOST_TEST(Call().cancel_fd() == -1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
