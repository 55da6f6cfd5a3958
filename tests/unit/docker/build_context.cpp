#include "plugins/docker/images/build_context.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"
#include "tests/unit/support/workspace_fixture.hpp"

namespace slipway::docker {

namespace {

namespace fs = std::filesystem;
using workspaces::Entry;
using workspaces::EntryKind;

struct ContextFixture : workspaces::WorkspaceFixture {
  BuildContext context(std::vector<Entry> entries) const {
    return {root.string(), {}, std::move(entries)};
  }
};

/// Returns whether the error reports a change of the workspace during the build.
bool is_change(const Error& error) { return error.code() == Code::kTemporary; }

BOOST_FIXTURE_TEST_SUITE(Context, ContextFixture)

BOOST_AUTO_TEST_CASE(archive_has_whole_blocks_and_an_end) {
  write("a", std::string(513, 'x'));
  auto made = context({{"a", EntryKind::kFile, 0}});
  std::string bytes;
  BOOST_TEST(!made.next(bytes));
  // A header, two blocks of 512 bytes for the file, and two empty ones at the end.
  BOOST_TEST(bytes.size() == 512 + 1024 + 1024);
  BOOST_TEST(bytes.substr(257, 8) == std::string("ustar\00000", 8));
  BOOST_TEST(made.sent_bytes() == 513);
}

BOOST_AUTO_TEST_CASE(file_beyond_8_gib_has_its_size_in_an_extension) {
  write("a", "");
  fs::resize_file(root / "a", 9ull << 30);
  std::string bytes;
  BOOST_TEST(context({{"a", EntryKind::kFile, 0}}).next(bytes));
  BOOST_TEST(bytes.substr(512, 19) == "19 size=9663676416\n");
}

BOOST_AUTO_TEST_CASE(pieces_are_bounded) {
  write("a", "");
  fs::resize_file(root / "a", 100 << 20);
  auto made = context({{"a", EntryKind::kFile, 0}});
  std::size_t largest = 0;
  for (bool is_more = true; is_more;) {
    std::string piece;
    is_more = made.next(piece);
    largest = std::max(largest, piece.size());
  }
  BOOST_TEST(largest < (1u << 20));
}

BOOST_AUTO_TEST_CASE(file_that_shrinks_is_an_error) {
  write("a", "");
  fs::resize_file(root / "a", 10 << 20);
  auto made = context({{"a", EntryKind::kFile, 0}});
  std::string piece;
  BOOST_TEST(made.next(piece));
  fs::resize_file(root / "a", 0);
  BOOST_CHECK_EXCEPTION(made.next(piece = {}), Error, is_change);
}

BOOST_AUTO_TEST_CASE(entry_that_becomes_another_is_an_error) {
  fs::create_symlink("/etc/passwd", root / "file");
  write("link");
  write("directory");
  std::string piece;
  for (const Entry& entry : {Entry{"file", EntryKind::kFile, 0}, Entry{"link", EntryKind::kLink, 0},
                             Entry{"directory", EntryKind::kDirectory, 0}})
    BOOST_CHECK_EXCEPTION(context({entry}).next(piece), Error, is_change);
}

BOOST_AUTO_TEST_CASE(missing_file_is_named) {
  std::string piece;
  BOOST_CHECK_EXCEPTION(context({{"gone", EntryKind::kFile, 0}}).next(piece), Error,
                        [](const Error& error) {
                          return error.code() == Code::kNotFound &&
                                 error.message().find("/gone") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::docker
