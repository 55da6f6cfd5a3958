#include "core/cli/help/page_text.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::cli {
namespace {

constexpr std::size_t kWide = 80;

BOOST_AUTO_TEST_SUITE(PageText)

BOOST_AUTO_TEST_CASE(paragraphs_are_wrapped_and_lists_keep_a_margin) {
  BOOST_TEST(page_text("# Title\n\n\none two\nthree four\n\n* a b c d\n  e\n* f\n", 9) ==
             "Title\n\none two\nthree\nfour\n\n- a b c d\n  e\n- f\n");
}

BOOST_AUTO_TEST_CASE(code_and_its_output_stay_as_they_are) {
  BOOST_TEST(page_text("Run:\n\n    $ slipway  run [x](y) *\n    out\n\nThen.\n", 10) ==
             "Run:\n\n    $ slipway  run [x](y) *\n    out\n\nThen.\n");
}

BOOST_AUTO_TEST_CASE(marks_for_tests_are_left_out) {
  BOOST_TEST(page_text("a\n\n<!-- docs: setup\nx\n-->\n<!-- docs: numbers -->\n    $ b\n", kWide) ==
             "a\n\n    $ b\n");
}

BOOST_AUTO_TEST_CASE(links_become_their_text) {
  BOOST_TEST(page_text("see [the page](page.md#x), [`[a.B]`](b.md) (and [c](c.md)) too\n", kWide) ==
             "see the page, `[a.B]` (and c) too\n");
  BOOST_TEST(page_text("[a] or [b](c), [d [e]](f)\n", kWide) == "[a] or b, d [e]\n");
  // A link alone in parentheses is left out.
  BOOST_TEST(page_text("it works ([0012](d/0012.md)). `[x](y)` is code\n", kWide) ==
             "it works. `[x](y)` is code\n");
  BOOST_TEST(page_text("[no link] (nor this) [or](this\n", kWide) ==
             "[no link] (nor this) [or](this\n");
}

BOOST_AUTO_TEST_CASE(emphasis_is_left_out_except_in_code) {
  BOOST_TEST(page_text("**bold** and *each* `a * b`\n", kWide) == "bold and each `a * b`\n");
}

BOOST_AUTO_TEST_CASE(tables_have_aligned_columns_and_headings_in_capitals) {
  BOOST_TEST(page_text("| key | `code` in JSON |\n|--|--|\n| `a`, `b` | x `y` \\| z |\n| c | |\n",
                       kWide) == "KEY   code IN JSON\na, b  x `y` | z\nc\n");
}

BOOST_AUTO_TEST_CASE(wide_tables_share_the_width) {
  BOOST_TEST(page_text("| k | meaning |\n|--|--|\n| one | aa bb cc dd ee |\n", 14) ==
             "K    MEANING\none  aa bb cc\n     dd ee\n");
  // Words are not broken.
  BOOST_TEST(page_text("| k |\n|--|\n| longword |\n", 4) == "K\nlongword\n");
}

BOOST_AUTO_TEST_CASE(characters_count_and_not_bytes) {
  BOOST_TEST(page_text("| k | v |\n|--|--|\n| ≥≥ | x |\n| abc | y |\n", kWide) ==
             "K    V\n≥≥   x\nabc  y\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
