#include "core/registry/calls/text_services.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/registry/calls/call_error.hpp"
#include "core/registry/calls/host_table.hpp"
#include "slipway/app_text.hpp"
#include "slipway/config.hpp"
#include "tests/unit/changed_app.hpp"

namespace slipway::registry {
namespace {

using slipway::test::changed;
using slipway::test::equal_fields;

/// Returns a host of which only the services of this test work: the texts of apps and
/// configurations.
Host plain_host() { return Host(make_host_table("org.example.test", {})); }

/// Returns a host of an older version, which has no services.
Host older_host() {
  static slipway_host table = [] {
    slipway_host made = *plain_host().table();
    made.get_extension = [](const slipway_host*, slipway_str) -> const void* { return nullptr; };
    return made;
  }();
  return Host(&table);
}

/// Returns a host that has too little memory to read JSON.
Host exhausted_host() {
  static const slipway_host_json json = {
      sizeof(slipway_host_json), 0, [](auto...) { return slipway_status{SLIPWAY_E_INTERNAL}; },
      [](auto...) { return slipway_status{SLIPWAY_E_INTERNAL}; }};
  static slipway_host table = [] {
    slipway_host made = *plain_host().table();
    made.get_extension = [](const slipway_host*, slipway_str) -> const void* { return &json; };
    return made;
  }();
  return Host(&table);
}

/// Returns the error that `use` makes the host set; `use` gets the context of the call.
template <class F>
slipway_error failure_of(F use) {
  slipway_error error;
  const Call call(nullptr, plain_host().table(), &error);
  BOOST_CHECK_THROW(use(call), abi::Unwind);
  return error;
}

bool is_config_error(const Error& error, const std::string& part) {
  BOOST_TEST_INFO_SCOPE(error.message());
  return error.code() == Code::kConfig && error.message().find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(text_services)

BOOST_AUTO_TEST_CASE(every_field_of_an_app_survives_its_text) {
  const AppDef app = changed<AppDef>();
  const std::string text = app_to_text(plain_host(), app, Call());
  BOOST_TEST(equal_fields(app_from_text(plain_host(), text, Call()), app));
  AppDef least("a");
  least.of(Role("r").runs("true"));
  BOOST_TEST(equal_fields(
      app_from_text(plain_host(), app_to_text(plain_host(), least, Call()), Call()), least));
}

BOOST_AUTO_TEST_CASE(text_that_is_not_an_app_is_refused_with_all_reasons) {
  const slipway_error wrong = failure_of([](const Call& call) {
    app_from_text(plain_host(), R"({"name": 7, "roles": [{"num_replicas": "many"}]})", call);
  });
  BOOST_TEST(wrong.code == SLIPWAY_E_INVALID);
  BOOST_TEST(wrong.message.find("the app:1:10: name") != std::string::npos, wrong.message);
  BOOST_TEST(wrong.message.find("num_replicas") != std::string::npos, wrong.message);
  for (const char* text : {"", "[]", "{", R"({"name": "a", "roles": [{"name": "r", "x": 1}]})"}) {
    BOOST_TEST_INFO_SCOPE(text);
    const auto read = [&](const Call& call) { app_from_text(plain_host(), text, call); };
    BOOST_TEST(failure_of(read).code == SLIPWAY_E_INVALID);
  }
}

BOOST_AUTO_TEST_CASE(named_resource_in_a_text_is_refused) {
  const std::string text =
      R"({"name": "a", "roles": [{"name": "r", "entrypoint": "true", "resource": "gpu.small"}]})";
  const slipway_error error =
      failure_of([&](const Call& call) { app_from_text(plain_host(), text, call); });
  BOOST_TEST(error.message.find("gpu.small") != std::string::npos, error.message);
}

BOOST_AUTO_TEST_CASE(app_whose_metadata_is_not_an_object_has_no_text) {
  AppDef app("a");
  app.of(Role("r").runs("true"));
  app.roles[0].metadata_json = "[1]";
  const auto write = [&](const Call& call) { app_to_text(plain_host(), app, call); };
  BOOST_TEST(failure_of(write).code == SLIPWAY_E_INVALID);
}

BOOST_AUTO_TEST_CASE(configuration_has_typed_values) {
  const Config config(plain_host(), R"({
    "queue": "main\n", "port": -7, "big": 9223372036854775807, "fast": true,
    "hosts": ["a", "b"], "limits": {"memory": 3, "a/b": "c", "~": 1}})");
  BOOST_TEST(config.text("queue").value() == "main\n");
  BOOST_TEST(config.integer("port").value() == -7);
  BOOST_TEST(config.integer("big").value() == INT64_MAX);
  BOOST_TEST(config.flag("fast").value());
  BOOST_TEST(config.integer("/limits/memory").value() == 3);
  BOOST_TEST(config.text("/limits/a~1b").value() == "c");
  BOOST_TEST(config.integer("/limits/~0").value() == 1);
  BOOST_TEST(config.text("/hosts/1").value() == "b");
  BOOST_TEST((config.texts("hosts") == StrList{"a", "b"}));
  BOOST_TEST((config.keys("limits") == StrList{"memory", "a/b", "~"}));
  BOOST_TEST(config.keys().size() == 6u);
  for (const char* absent : {"nosuch", "/hosts/2", "/hosts/01", "/hosts/x", "/queue/x", "a/b"}) {
    BOOST_TEST_INFO_SCOPE(absent);
    BOOST_TEST(!config.text(absent));
  }
  BOOST_TEST(config.texts("nosuch").empty());
}

BOOST_AUTO_TEST_CASE(unusable_configuration_is_refused_with_its_key_or_its_reason) {
  const Config config(plain_host(), R"({"queue": [1], "port": 70000, "huge": 9223372036854775808,
                                        "fast": "yes", "hosts": ["a", 1], "none": null,
                                        "ratio": 0.5})");
  const auto refused = [&](const auto& read, const std::string& part) {
    BOOST_CHECK_EXCEPTION(read(), Error,
                          [&](const Error& error) { return is_config_error(error, part); });
  };
  refused([&] { config.text("queue"); }, "queue must be a text, not [1]");
  refused([&] { config.text("none"); }, "none must be a text, not null");
  refused([&] { config.integer("port", 1, 65535); }, "from 1 to 65535, not 70000");
  refused([&] { config.integer("huge"); }, "not 9223372036854775808");
  refused([&] { config.integer("ratio"); }, "not 0.5");
  refused([&] { config.flag("fast"); }, "fast must be true or false, not yes");
  refused([&] { config.texts("hosts"); }, "hosts must be a list of texts, not 1");
  refused([&] { config.keys("port"); }, "port must be a table");
  refused(
      [&] {
        config.require_known({"queue", "port", "huge", "fast", "hosts", "none"});
      },
      "ratio is unknown");
  refused([&] { Config(plain_host(), "{").text("queue"); }, "is not JSON");
  refused([&] { Config(plain_host(), R"({"a": [1e400]})").texts("a"); }, "is not JSON");
}

BOOST_AUTO_TEST_CASE(failure_of_the_host_is_not_blamed_on_the_configuration) {
  const Config config(exhausted_host(), "{}");
  const auto is_internal = [](const Error& error) { return error.code() == Code::kInternal; };
  BOOST_CHECK_EXCEPTION(config.text("queue"), Error, is_internal);
  BOOST_CHECK_EXCEPTION(config.keys(), Error, is_internal);
}

BOOST_AUTO_TEST_CASE(configuration_may_be_empty) {
  const Config config(plain_host(), "");
  BOOST_TEST(!config.text("queue"));
  BOOST_TEST(config.keys().empty());
  config.require_known({});
}

BOOST_AUTO_TEST_CASE(call_on_an_older_host_advises_an_update) {
  const auto is_too_old = [](const Error& error) {
    return error.code() == Code::kUnimplemented && error.hint() == "update Slipway";
  };
  BOOST_CHECK_EXCEPTION(app_to_text(older_host(), AppDef("a"), Call()), Error, is_too_old);
  BOOST_CHECK_EXCEPTION(app_from_text(older_host(), "{}", Call()), Error, is_too_old);
  BOOST_CHECK_EXCEPTION(Config(older_host(), "{}").text("a"), Error, is_too_old);
}

BOOST_AUTO_TEST_CASE(threads_use_the_services_at_the_same_time) {
  const AppDef app = changed<AppDef>();
  const Host host = plain_host();
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (int& each : same)
    threads.emplace_back([&app, &host, &each] {
      for (int i = 0; i < 50; ++i)
        each += equal_fields(app_from_text(host, app_to_text(host, app, Call()), Call()), app);
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST((same == std::vector<int>{50, 50, 50, 50}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
