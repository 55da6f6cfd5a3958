#include <boost/test/unit_test.hpp>

#include "core/registry/objects/plugin_components.hpp"
#include "core/registry/objects/plugin_resources.hpp"
#include "slipway/detail/app_views.hpp"
#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway::registry {
namespace {

using test::any_library;
using test::throws;

BOOST_AUTO_TEST_SUITE(PluginCatalogues)

/// A plug-in whose table ends after `list`, without `get`.
struct Resources {
  Resources() {
    table.struct_size = SLIPWAY_FIELD_END(slipway_named_resources_vtbl, list);
    table.list = [](slipway_named_resources*, const slipway_call*,
                    slipway_on_named_resource on_resource, void* ctx, slipway_error*) {
      const auto deliver = [&](const char* name, std::int32_t cpus) {
        Resource resource;
        resource.cpu = cpus;
        const abi::ResourceView view(resource);
        auto named = abi::sized<slipway_named_resource>();
        named.name = abi::view(name);
        if (cpus > 0) named.resource = view.get();
        return on_resource(ctx, &named);
      };
      deliver("small", 4);
      return deliver("large", has_null ? 0 : 8);
    };
    // Beyond the table's end, so the host must not call it.
    table.get = [](slipway_named_resources*, const slipway_call*, slipway_str,
                   slipway_on_named_resource, void*,
                   slipway_error*) { return slipway_status{SLIPWAY_E_INTERNAL}; };
  }
  ~Resources() { has_null = false; }
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  PluginResources wrap() { return {any_library(host), &object}; }

  inline static bool has_null = false;  ///< whether `large` has no resource

  test::RecordingHost host;
  slipway_named_resources_vtbl table{};
  slipway_named_resources object{&table};
};

BOOST_FIXTURE_TEST_CASE(resources_without_get_are_searched_in_the_list, Resources) {
  BOOST_TEST(wrap().list().size() == 2U);
  BOOST_TEST(wrap().get("large")->cpu.whole() == 8);
  BOOST_TEST(!wrap().get("huge"));
}

BOOST_FIXTURE_TEST_CASE(failing_and_missing_functions_are_errors_of_the_plugin, Resources) {
  table.struct_size = sizeof table;  // now includes `get`, which fails
  BOOST_TEST(throws(Code::kInternal, [&] { wrap().get("small"); }));
  table.list = nullptr;
  BOOST_TEST(throws(Code::kAbi, [&] { wrap(); }));
}

BOOST_FIXTURE_TEST_CASE(null_resource_breaks_the_contract, Resources) {
  has_null = true;
  BOOST_TEST(throws(Code::kAbi, [&] { wrap().list(); }));
}

/// Components: utils.echo, and for each file one that has the file's path as its name.
struct Builders {
  Builders() {
    table.struct_size = sizeof table;
    table.list = [](slipway_components*, const slipway_call*, const slipway_component_query* query,
                    slipway_on_component on_component, void* ctx, slipway_error*) {
      auto info = abi::sized<slipway_component_info>();
      info.name = query->file.ptr != nullptr ? query->file : abi::view("utils.echo");
      return on_component(ctx, &info);
    };
    table.build = [](slipway_components*, const slipway_call*, const slipway_component_order* order,
                     slipway_on_app_def on_app, void* ctx, slipway_error* err) {
      const slipway_str name = order->name;
      if (abi::text(name) == "silent") return slipway_status{SLIPWAY_OK};
      if (abi::text(name) != "utils.echo")
        return test::fail(err, SLIPWAY_E_NOT_FOUND, "no such component");
      const AppDef app = AppDef("echo").of(Role("echo"));
      const abi::AppDefView app_view(app);
      return on_app(ctx, app_view.get());
    };
  }
  PluginComponents wrap() { return {any_library(host), &object}; }

  test::RecordingHost host;
  slipway_components_vtbl table{};
  slipway_components object{&table};
};

BOOST_FIXTURE_TEST_CASE(components_build_apps, Builders) {
  BOOST_TEST(wrap().list().at(0).name == "utils.echo");
  BOOST_TEST(wrap().build("utils.echo", {}).roles.at(0).name == "echo");
  BOOST_TEST(throws(Code::kNotFound, [&] { wrap().build("nope", {}); }));
}

BOOST_FIXTURE_TEST_CASE(a_file_reaches_the_provider, Builders) {
  BOOST_TEST(wrap().list({"/a/b.py", {}}).at(0).name == "/a/b.py");
}

BOOST_FIXTURE_TEST_CASE(mistakes_are_found_only_by_the_function_check, Builders) {
  BOOST_TEST(throws(Code::kUnimplemented, [&] { wrap().check({"/a/b.py", {}}); }));
  table.check = [](slipway_components*, const slipway_call*, const slipway_component_query*,
                   slipway_on_component_problem on_problem, void* ctx, slipway_error*) {
    auto problem = abi::sized<slipway_component_problem>();
    problem.line = 3;
    problem.message = abi::view("wrong");
    return on_problem(ctx, &problem);
  };
  const std::vector<ComponentProblem> problems = wrap().check({"/a/b.py", {}});
  BOOST_TEST(problems.at(0).line == 3U);
  BOOST_TEST(problems.at(0).message == "wrong");
}

BOOST_FIXTURE_TEST_CASE(a_component_that_builds_nothing_breaks_the_contract, Builders) {
  BOOST_TEST(throws(Code::kAbi, [&] { wrap().build("silent", {}); }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
