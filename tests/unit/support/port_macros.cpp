#include "sdk/support/port_macros.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::test {
namespace {

/// Returns what replace_port_macros() makes of a text if only the host and the port `http` of `kv`
/// are known.
std::string replaced(std::string_view text) {
  return replace_port_macros(text, [](const PortMacro& macro) -> std::optional<std::string> {
    if (macro.role == "kv" && macro.port == "http") return "8080";
    if (macro.role == "kv" && macro.port.empty()) return "node1";
    return std::nullopt;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(PortMacros)

BOOST_AUTO_TEST_CASE(parts_of_a_macro_are_found) {
  const std::string text = "a ${port.x} ${role.a.b.port.c.d}${role.kv.host}";
  const auto found = port_macros(text);
  BOOST_REQUIRE(found.size() == 3U);
  BOOST_TEST(found[0].written == "${port.x}");
  BOOST_TEST(found[0].role.empty());
  BOOST_TEST(found[0].port == "x");
  BOOST_TEST(found[1].role == "a.b");
  BOOST_TEST(found[1].port == "c.d");
  BOOST_TEST(found[2].role == "kv");
  BOOST_TEST(found[2].port.empty());
  for (const PortMacro& macro : found) BOOST_TEST(!macro.is_malformed);
}

BOOST_AUTO_TEST_CASE(other_forms_are_malformed) {
  for (const char* text : {"${port.}", "${port.x", "${role.kv}", "${role.kv.prt.x}",
                           "${role..port.x}", "${role.kv.port.}", "${role..host}", "${role."}) {
    const auto found = port_macros(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_REQUIRE(found.size() == 1U);
      BOOST_TEST(found[0].is_malformed);
      BOOST_TEST(replaced(text) == text);
    }
  }
}

BOOST_AUTO_TEST_CASE(other_texts_are_not_macros) {
  for (const char* text :
       {"", "$", "$$", "$${port.x}", "$$${", "${ports.x}", "${app_id}", "$port.x"})
    BOOST_TEST(port_macros(text).empty(), text);
}

BOOST_AUTO_TEST_CASE(known_values_replace_their_macros_and_nothing_else) {
  BOOST_TEST(replaced("${role.kv.host}:${role.kv.port.http}/${port.x}") == "node1:8080/${port.x}");
  BOOST_TEST(replaced("$${role.kv.host} $$${role.kv.host}") == "$${role.kv.host} $$node1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::test
