#include "core/logs/output_buffer.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <stdexcept>

#include "core/logs/line_printer.hpp"
#include "core/logs/log_line.hpp"

namespace slipway::logs {
namespace {

struct Written {
  std::vector<std::string> pieces;
  OutputBuffer buffer{[this](std::string_view bytes) { pieces.emplace_back(bytes); }};

  std::string all() {
    buffer.flush();
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    return text;
  }
};

// Returns the expected output: append_prefixed() of each line.
std::string expected(std::string_view prefix, std::string_view text) {
  std::string out;
  for (std::string_view line; take_line(text, line);) append_prefixed(prefix, line, out);
  return out;
}

// Returns what an OutputBuffer writes for `text`.
std::string joined(std::string_view prefix, std::string_view text) {
  Written written;
  written.buffer.set_prefix(prefix);
  written.buffer.append_lines(text);
  return written.all();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(Buffer)

BOOST_AUTO_TEST_CASE(lines_may_end_at_every_offset_of_a_block) {
  for (const std::string end : {"\n", "\r", "\r\n", "\n\r", "\n\n", "\r\r", "\n\r\n", "\r\n\r"}) {
    for (std::size_t before = 0; before <= 3 * kBlock; ++before) {
      for (const std::size_t behind :
           {std::size_t{0}, std::size_t{1}, 2 * kBlock, 3 * kBlock - 1}) {
        const std::string text = std::string(before, 'a') + end + std::string(behind, 'b');
        BOOST_REQUIRE_EQUAL(joined("w/0 ", text), expected("w/0 ", text));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_length_of_text_and_prefix_is_copied) {
  for (std::size_t length = 0; length <= 4 * kBlock; ++length) {
    const std::string plain(length, 'x');
    const std::string newlines(length, '\n');
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, kBlock + 1, 5 * kBlock}) {
      const std::string prefix(size, 'p');
      BOOST_REQUIRE_EQUAL(joined(prefix, plain), expected(prefix, plain));
      BOOST_REQUIRE_EQUAL(joined(prefix, newlines), expected(prefix, newlines));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_bytes_in_any_chunks_are_copied) {
  std::mt19937 random(7);
  const std::string bytes("\n\n\n\r\0\xff\x8d\x0b az", 11);
  for (int round = 0; round < 200; ++round) {
    Written written;
    std::string wanted;
    for (int chunk = 0; chunk < 5; ++chunk) {
      // Some chunks have few line ends, others many.
      const auto rare = static_cast<std::size_t>(1 + random() % 100);
      std::string text(random() % 1000, 'x');
      for (char& c : text) {
        if (random() % rare == 0) c = bytes[random() % bytes.size()];
      }
      const std::string prefix(random() % 90, 'p');
      written.buffer.set_prefix(prefix);
      written.buffer.append_lines(text);
      wanted += expected(prefix, text);
    }
    BOOST_REQUIRE(written.all() == wanted);
  }
}

// Puts lines, '\r' and prefixes around the end of the buffer.
BOOST_AUTO_TEST_CASE(lines_across_the_end_of_the_buffer_are_copied) {
  for (const std::string end : {"\n", "\r", "\r\n", "\n\r"}) {
    for (std::size_t less = 0; less < 2 * kBlock; ++less) {
      const std::string text = std::string(OutputBuffer::kSize - 1000, 'a') + "\n" +
                               std::string(1000 - less, 'b') + end + std::string(200, 'c') + "\n";
      BOOST_REQUIRE(joined("w/0 ", text) == expected("w/0 ", text));
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_lines_are_written) {
  Written written;
  written.buffer.set_prefix("w/0 ");
  const std::string line = std::string(99, 'x') + '\n';
  std::string text;
  for (int i = 0; i < 5000; ++i) text += line;
  written.buffer.append_lines(text);
  BOOST_TEST(written.pieces.size() >= 3U);
  for (const std::string& piece : written.pieces) {
    BOOST_TEST(piece.ends_with(line));
    BOOST_TEST(piece.starts_with("w/0 x"));
    BOOST_TEST(piece.size() < 2 * OutputBuffer::kSize);
  }
  BOOST_TEST((written.all() == expected("w/0 ", text)));
}

BOOST_AUTO_TEST_CASE(buffered_bytes_stay_bounded) {
  const std::string prefix(100, 'p');
  for (const char c : {'x', '\n', '\r'}) {
    Written written;
    written.buffer.set_prefix(prefix);
    const std::string text(300'000, c);
    written.buffer.append_lines(text);
    for (const std::string& piece : written.pieces)
      BOOST_TEST(piece.size() < 2 * OutputBuffer::kSize);
    BOOST_TEST((written.all() == expected(prefix, text)));
  }
}

BOOST_AUTO_TEST_CASE(longer_prefix_keeps_buffered_bytes) {
  Written written;
  written.buffer.set_prefix("a ");
  written.buffer.append_lines("1\n");
  written.buffer.set_prefix(std::string(3000, 'p'));
  written.buffer.append("plain\n");
  written.buffer.append_lines("2\n");
  BOOST_TEST(written.all() == "a 1\nplain\n" + std::string(3000, 'p') + "2\n");
}

BOOST_AUTO_TEST_CASE(large_plain_text_is_written_unchanged) {
  Written written;
  written.buffer.append("first\n");
  const std::string large(OutputBuffer::kSize, 'x');
  written.buffer.append(large);
  BOOST_REQUIRE_EQUAL(written.pieces.size(), 2U);
  BOOST_TEST(written.pieces[0] == "first\n");
  BOOST_TEST((written.pieces[1] == large));
}

BOOST_AUTO_TEST_CASE(bytes_that_could_not_be_written_are_not_written_again) {
  bool broken = true;
  std::string text;
  OutputBuffer buffer([&](std::string_view bytes) {
    if (broken) throw std::runtime_error("full");
    text.append(bytes);
  });
  buffer.append("lost\n");
  BOOST_CHECK_THROW(buffer.flush(), std::runtime_error);
  broken = false;
  buffer.append("kept\n");
  buffer.flush();
  BOOST_TEST(text == "kept\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::logs
