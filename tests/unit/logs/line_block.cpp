#include "core/logs/line_block.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::logs {
namespace {

// Checks a line end at every place of a block, and that store() writes only the block.
template <class Block>
void check_block() {
  // The neighbours of line ends, and bytes that differ from them in the highest bit.
  const std::string others("\0\t\x0b\x0c\x0e\x8a\x8d\xff x", 10);
  for (std::size_t place = 0; place < kBlock; ++place) {
    for (const char end : {'\n', '\r'}) {
      std::string text(1, 'u');  // so that the block is not aligned
      for (std::size_t i = 0; i < kBlock; ++i) text += others[i % others.size()];
      text[kBlock] = '\n';  // a second line end, in the last byte of the block
      text[1 + place] = end;
      Block block;
      block.load(text.data() + 1);
      const std::uint64_t last = std::uint64_t{1} << (kBlock - 1);
      BOOST_REQUIRE_EQUAL(block.ends(), (std::uint64_t{1} << place) | last);
      std::string copy(kBlock + 2, '-');
      block.store(copy.data() + 1);
      BOOST_REQUIRE((copy == "-" + text.substr(1) + "-"));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(LineBlock)

BOOST_AUTO_TEST_CASE(any_processor_finds_line_ends) { check_block<AnyBlock>(); }

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(processor_with_avx2_finds_line_ends) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi")) return;
  check_block<Avx2Block>();
}
#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::logs
