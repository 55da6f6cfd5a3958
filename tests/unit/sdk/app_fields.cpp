#include "slipway/app_fields.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "slipway/detail/app_views.hpp"
#include "tests/unit/changed_app.hpp"

namespace slipway {
namespace {

template <class Struct>
void require_all_changed() {
  const Struct changed = test::changed<Struct>();
  const Struct defaults;
  each_field<Struct>([&](const auto& field) {
    BOOST_TEST(!test::equal(changed.*field.member, defaults.*field.member), field.key);
  });
}

template <class Struct>
void require_unique_keys() {
  std::set<std::string> keys;
  each_field<Struct>([&](const auto& field) {
    BOOST_TEST(keys.insert(field.key).second, field.key);
    if (*field.alias != '\0') BOOST_TEST(keys.insert(field.alias).second, field.alias);
    const bool is_found = with_field<Struct>(
        field.key, [&](const auto& found) { BOOST_TEST(std::string(found.key) == field.key); });
    BOOST_TEST(is_found);
  });
}

BOOST_AUTO_TEST_SUITE(AppFields)

BOOST_AUTO_TEST_CASE(the_changed_app_of_the_tests_changes_every_field) {
  require_all_changed<Resource>();
  require_all_changed<Mount>();
  require_all_changed<Role>();
  require_all_changed<AppDef>();
}

BOOST_AUTO_TEST_CASE(keys_and_aliases_are_unique) {
  require_unique_keys<Resource>();
  require_unique_keys<Mount>();
  require_unique_keys<Role>();
  require_unique_keys<AppDef>();
  // The alias of a field that has none is no key.
  BOOST_TEST(!with_field<Role>("", [](const auto&) {}));
  BOOST_TEST(!with_field<Role>("names", [](const auto&) {}));
}

BOOST_AUTO_TEST_CASE(every_field_survives_the_boundary) {
  const AppDef app = test::changed<AppDef>();
  BOOST_TEST(test::equal_fields(abi::read(*abi::AppDefView(app).get()), app));
}

BOOST_AUTO_TEST_CASE(resources_differ_by_every_field) {
  each_field<Resource>([](const auto& field) {
    Resource one;
    test::change(one.*field.member, field.kind, field.key);
    BOOST_TEST(!(one == Resource{}), field.key);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
