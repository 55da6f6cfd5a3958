#include "sdk/support/file_text.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(FileText)

BOOST_AUTO_TEST_CASE(file_is_read_to_its_end) {
  std::string directory = (std::filesystem::temp_directory_path() / "slipway-XXXXXX").string();
  BOOST_TEST_REQUIRE(::mkdtemp(directory.data()) != nullptr);
  const std::string path = directory + "/file";
  // file_text() reads parts of 16384 bytes.
  for (const std::size_t size : {0U, 1U, 16384U, 100'000U}) {
    std::string content(size, 'x');
    if (size > 0) content.back() = '\0';
    std::ofstream(path, std::ios::binary) << content;
    BOOST_TEST((file_text(path) == content), size << " bytes");
  }
  std::filesystem::remove_all(directory);
}

BOOST_AUTO_TEST_CASE(failure_is_left_in_errno) {
  BOOST_TEST(!file_text("/nonexistent"));
  BOOST_TEST(errno == ENOENT);
  BOOST_TEST(!file_text("/"));
  BOOST_TEST(errno == EISDIR);
}

BOOST_AUTO_TEST_CASE(fifo_and_device_are_refused_without_waiting_for_a_writer) {
  std::string directory = (std::filesystem::temp_directory_path() / "slipway-XXXXXX").string();
  BOOST_TEST_REQUIRE(::mkdtemp(directory.data()) != nullptr);
  const std::string fifo = directory + "/fifo";
  BOOST_TEST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::string& path : {fifo, std::string("/dev/null")}) {
    BOOST_TEST(!file_text(path), path);
    BOOST_TEST(errno == EINVAL, path);
  }
  std::filesystem::remove_all(directory);
}

BOOST_AUTO_TEST_CASE(file_of_the_kernel_is_read) {
  BOOST_TEST(file_text("/proc/sys/kernel/random/boot_id").value_or("").size() ==
             std::string("00000000-0000-4000-8000-000000000000\n").size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
