#include "plugins/archive_image/digest_index.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "plugins/archive_image/content_digest.hpp"
#include "slipway/owned_fd.hpp"
#include "tests/unit/archive_image/temporary_directory.hpp"

namespace slipway::archive_image {
namespace {

const std::string kEmptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

struct Index {
  static FileIdentity identity(const std::filesystem::path& file) {
    struct stat st {};
    BOOST_REQUIRE(::stat(file.c_str(), &st) == 0);
    return FileIdentity::of(st);
  }

  test::TemporaryDirectory home;
  DigestIndex index{home.path.string()};
  FileIdentity file{1, 2, 3, 1'000, 2'000};  // device, inode, size, modified_ns, changed_ns
  // Ten seconds after the change, so that remember() trusts the file's times.
  std::int64_t later = 2'000 + 10'000'000'000;
};

BOOST_AUTO_TEST_SUITE(Digests)

BOOST_AUTO_TEST_CASE(a_digest_is_sha_256_of_all_bytes) {
  const test::TemporaryDirectory home;
  const OwnedFd empty(::open(home.write("empty", "").c_str(), O_RDONLY | O_CLOEXEC));
  BOOST_TEST(content_digest(empty.get(), Call()) == kEmptyDigest);
  const OwnedFd abc(::open(home.write("abc", "abc").c_str(), O_RDONLY | O_CLOEXEC));
  BOOST_TEST(content_digest(abc.get(), Call()) ==
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

BOOST_FIXTURE_TEST_CASE(remembered_digest_is_found, Index) {
  BOOST_TEST(!index.find(file));
  index.remember(file, kEmptyDigest, later);
  BOOST_TEST((index.find(file) == std::optional(kEmptyDigest)));
}

BOOST_FIXTURE_TEST_CASE(any_changed_property_makes_another_file, Index) {
  index.remember(file, kEmptyDigest, later);
  for (FileIdentity other :
       {FileIdentity{9, 2, 3, 1'000, 2'000}, FileIdentity{1, 9, 3, 1'000, 2'000},
        FileIdentity{1, 2, 9, 1'000, 2'000}, FileIdentity{1, 2, 3, 9, 2'000},
        FileIdentity{1, 2, 3, 1'000, 9}}) {
    BOOST_TEST(!index.find(other));
  }
}

BOOST_FIXTURE_TEST_CASE(a_file_that_was_just_written_is_not_remembered, Index) {
  index.remember(file, kEmptyDigest, file.changed_ns + 1);
  BOOST_TEST(!index.find(file));
}

BOOST_FIXTURE_TEST_CASE(damaged_entry_is_ignored, Index) {
  for (const std::string& text :
       {std::string(), std::string("abc"), std::string(64, 'g'), kEmptyDigest + "0"}) {
    home.write(file.text(), text);
    BOOST_TEST(!index.find(file));
  }
}

BOOST_FIXTURE_TEST_CASE(unused_entries_are_forgotten, Index) {
  index.remember(file, kEmptyDigest, later);
  const std::int64_t written = identity(home.path / file.text()).modified_ns;
  index.forget_before(written);
  BOOST_TEST(index.find(file).has_value());
  index.forget_before(written + 1);
  BOOST_TEST(!index.find(file));
}

BOOST_FIXTURE_TEST_CASE(missing_directory_is_not_a_failure, Index) {
  const DigestIndex nowhere("/nonexistent/digests");
  nowhere.remember(file, kEmptyDigest, later);
  nowhere.forget_before(later);
  BOOST_TEST(!nowhere.find(file));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::archive_image
