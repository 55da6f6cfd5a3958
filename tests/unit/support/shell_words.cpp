#include "sdk/support/shell_words.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <memory>

namespace slipway {
namespace {

// Returns the words as a shell reads them, one per line.
std::string read_back(const std::string& words) {
  const std::string command = "printf '%s\\n' " + words;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  BOOST_REQUIRE(pipe != nullptr);
  std::string out;
  std::array<char, 256> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe.get()))
    out.append(part.data(), got);
  return out;
}

BOOST_AUTO_TEST_SUITE(ShellWords)

BOOST_AUTO_TEST_CASE(only_words_that_need_quotes_get_them) {
  BOOST_TEST(shell_quoted("a@%_-+=:,./Z9") == "a@%_-+=:,./Z9");
  BOOST_TEST(shell_quoted("") == "''");
  BOOST_TEST(shell_joined({}) == "");
}

BOOST_AUTO_TEST_CASE(a_shell_reads_back_every_byte) {
  std::vector<std::string> words = {"it's", "''", "$HOME", "`id`", "a b", "\\", "!",  "~",
                                    "*",    "#x", "",      "\"",   ";",   "|",  "&&", "\xC3\xA9"};
  std::string expected;
  for (int byte = 1; byte < 256; ++byte) words.emplace_back(1, static_cast<char>(byte));
  for (const std::string& word : words) expected += word + "\n";
  BOOST_TEST((read_back(shell_joined(words)) == expected));
}

BOOST_AUTO_TEST_CASE(a_shell_is_recognised_by_the_last_part_of_its_path) {
  for (const char* shell : {"sh", "/bin/bash", "./fish"}) BOOST_TEST(is_shell(shell));
  for (const char* other : {"", "/bin/sh/", "bash.py", "python3"}) BOOST_TEST(!is_shell(other));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
