#include "sdk/support/workspace/workspace_tree.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"
#include "tests/unit/support/workspace_fixture.hpp"

namespace slipway::workspaces {

namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(Tree, WorkspaceFixture)

BOOST_AUTO_TEST_CASE(lists_directories_before_their_entries) {
  write("b.py", "12345");
  write("a/deep/c.txt");
  const WorkspaceTree found = tree();
  BOOST_TEST(paths_of(found) == "a a/deep a/deep/c.txt b.py");
  BOOST_TEST(found.files() == 2);
  BOOST_TEST(found.bytes() == 6);
}

BOOST_AUTO_TEST_CASE(slipwayignore_wins_over_torchxignore) {
  write(".slipwayignore", "*.log\n");
  write(".torchxignore", "*.py\n");
  write("a.py");
  write("a.log");
  BOOST_TEST(paths_of(tree()) == ".slipwayignore .torchxignore a.py");
}

BOOST_AUTO_TEST_CASE(first_ignore_file_decides) {
  write(".gitignore", "a\n");
  write("a");
  write("b");
  write("c");
  BOOST_TEST(paths_of(tree()) == ".gitignore b c");
  write(".dockerignore", "b\n");
  BOOST_TEST(paths_of(tree()) == ".dockerignore .gitignore a c");
  write(".torchxignore", "c\n.*\n");
  BOOST_TEST(paths_of(tree()) == "a b");
  write(".slipwayignore", ".*\n");
  BOOST_TEST(paths_of(tree()) == "a b c");
}

BOOST_AUTO_TEST_CASE(repository_is_left_out_unless_included_again) {
  write(".git/config");
  write("a");
  BOOST_TEST(paths_of(tree()) == "a");
  write(".gitignore", "b\n");
  BOOST_TEST(paths_of(tree()) == ".gitignore a");
  write(".slipwayignore", "!.git\n");
  BOOST_TEST(paths_of(tree()) == ".git .git/config .gitignore .slipwayignore a");
}

BOOST_AUTO_TEST_CASE(dockerignore_includes_files_of_ignored_directories_again) {
  write(".dockerignore", "*\n!src/**/*.py\n!data\ndata/big\n");
  write("src/a/b.py");
  write("src/a/b.pyc");
  write("doc/c.txt");
  write("data/big/d");
  write("data/e");
  fs::create_directory(root / "empty");
  BOOST_TEST(paths_of(tree()) == "data data/e src src/a src/a/b.py");
}

BOOST_AUTO_TEST_CASE(does_not_read_ignored_directories) {
  write(".slipwayignore", "secret\n");
  write("secret/key");
  fs::permissions(root / "secret", fs::perms::none);  // reading it fails, unless as root
  BOOST_TEST(paths_of(tree()) == ".slipwayignore");
  fs::permissions(root / "secret", fs::perms::owner_all);
}

BOOST_AUTO_TEST_CASE(links_are_not_followed) {
  fs::create_symlink("..", root / "loop");
  fs::create_symlink("/no/such/file", root / "dangling");
  BOOST_TEST(paths_of(tree()) == "dangling loop");
}

BOOST_AUTO_TEST_CASE(pipes_are_skipped_and_named) {
  BOOST_REQUIRE(::mkfifo((root / "pipe").c_str(), 0600) == 0);
  write("a");
  const WorkspaceTree found = tree();
  BOOST_TEST(paths_of(found) == "a");
  BOOST_TEST(found.skipped == std::vector<std::string>{"pipe"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(directory_of_copies_is_skipped) {
  write("jobs/old/a");
  write("b");
  BOOST_TEST(paths_of(tree((root / "jobs").string())) == "b");
}

BOOST_AUTO_TEST_CASE(file_and_missing_directory_give_different_errors) {
  const auto code_of = [&](const fs::path& path) {
    try {
      read_tree(path.string(), ignore_rules_of(path.string()), {}, [] { return false; });
    } catch (const slipway::Error& error) {
      return error.code();
    }
    return slipway::Code::kInternal;
  };
  write("file");
  BOOST_TEST((code_of(top / "none") == slipway::Code::kNotFound));
  BOOST_TEST((code_of(root / "file") == slipway::Code::kInvalid));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::workspaces
