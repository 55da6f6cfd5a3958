#include "plugins/dir_workspace/workspace_copy.hpp"

#include <boost/test/unit_test.hpp>
#include <iterator>

#include "slipway/error.hpp"
#include "tests/unit/file_size_limit.hpp"
#include "tests/unit/support/workspace_fixture.hpp"

namespace slipway::dir_workspace {

namespace fs = std::filesystem;

namespace {

struct CopyFixture : workspaces::WorkspaceFixture {
  void copy(const std::string& name) const {
    copy_tree(tree(), root.string(), copies().string(), name, [] { return false; });
  }
  fs::path copies() const { return top / "copies"; }
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

BOOST_FIXTURE_TEST_SUITE(Copy, CopyFixture)

BOOST_AUTO_TEST_CASE(later_changes_do_not_affect_the_copy) {
  write("train.py", "one");
  copy("a");
  write("train.py", "two");
  write("new.py");
  BOOST_TEST(text_of(copies() / "a" / "train.py") == "one");
  BOOST_TEST(!fs::exists(copies() / "a" / "new.py"));
}

BOOST_AUTO_TEST_CASE(keeps_modes_times_links_and_empty_directories) {
  write("run.sh");
  fs::permissions(root / "run.sh", fs::perms::owner_all);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1000);
  fs::last_write_time(root / "run.sh", long_ago);
  fs::create_symlink("run.sh", root / "link");
  fs::create_directory(root / "empty");
  copy("a");
  BOOST_TEST((fs::status(copies() / "a" / "run.sh").permissions() == fs::perms::owner_all));
  BOOST_TEST(
      (fs::last_write_time(copies() / "a" / "run.sh") == fs::last_write_time(root / "run.sh")));
  BOOST_TEST(fs::read_symlink(copies() / "a" / "link").string() == "run.sh");
  BOOST_TEST(fs::is_directory(copies() / "a" / "empty"));
}

BOOST_AUTO_TEST_CASE(copy_of_a_private_workspace_is_private) {
  write("train.py");
  fs::permissions(root, fs::perms::owner_all);
  copy("a");
  BOOST_TEST((fs::status(copies() / "a").permissions() == fs::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(directories_that_others_may_read_stay_readable) {
  constexpr fs::perms kReadable = fs::perms::owner_all | fs::perms::group_read |
                                  fs::perms::group_exec | fs::perms::others_read |
                                  fs::perms::others_exec;
  write("data/a.txt");
  for (const fs::path& each : {root, root / "data"}) fs::permissions(each, kReadable);
  copy("a");
  BOOST_TEST((fs::status(copies() / "a").permissions() == kReadable));
  BOOST_TEST((fs::status(copies() / "a" / "data").permissions() == kReadable));
}

BOOST_AUTO_TEST_CASE(existing_directory_is_not_changed) {
  write("a.txt");
  fs::create_directories(copies() / "a" / "mine");
  BOOST_CHECK_EXCEPTION(copy("a"), slipway::Error, [](const slipway::Error& error) {
    return error.code() == slipway::Code::kExists;
  });
  BOOST_TEST(fs::is_directory(copies() / "a" / "mine"));
  BOOST_TEST(!fs::exists(copies() / "a" / "a.txt"));
}

BOOST_AUTO_TEST_CASE(names_the_unfinished_copy_of_a_killed_process) {
  fs::create_directories(copies() / ".a.unfinished" / "theirs");
  BOOST_CHECK_EXCEPTION(copy("a"), slipway::Error, [this](const slipway::Error& error) {
    const std::string there = (copies() / ".a.unfinished").string();
    return error.code() == slipway::Code::kExists &&
           error.message().starts_with(there + " already exists: another process is making") &&
           error.hint() == "if no other process makes it, remove the directory";
  });
  BOOST_TEST(fs::is_directory(copies() / ".a.unfinished" / "theirs"));
}

BOOST_AUTO_TEST_CASE(leaves_nothing_when_a_file_has_vanished) {
  write("a.txt");
  const workspaces::WorkspaceTree before = tree();
  fs::remove(root / "a.txt");
  BOOST_CHECK_EXCEPTION(
      copy_tree(before, root.string(), copies().string(), "a", [] { return false; }),
      slipway::Error,
      [](const slipway::Error& error) { return error.code() == slipway::Code::kNotFound; });
  BOOST_TEST(fs::is_empty(copies()));
}

BOOST_AUTO_TEST_CASE(fails_and_leaves_nothing_when_a_file_does_not_fit) {
  write("data", std::string(200'000, 'x'));
  const workspaces::WorkspaceTree before = tree();
  const FileSizeLimit limit(100'000);
  BOOST_CHECK_EXCEPTION(
      copy_tree(before, root.string(), copies().string(), "a", [] { return false; }),
      slipway::Error,
      [](const slipway::Error& error) { return error.code() == slipway::Code::kCantCreate; });
  BOOST_TEST(fs::is_empty(copies()));
}

BOOST_AUTO_TEST_CASE(leaves_nothing_when_it_is_cancelled) {
  for (int i = 0; i < 10; ++i) write("f" + std::to_string(i));
  int asked = 0;
  BOOST_CHECK_EXCEPTION(
      copy_tree(tree(), root.string(), copies().string(), "a", [&] { return ++asked > 5; }),
      slipway::Error,
      [](const slipway::Error& error) { return error.code() == slipway::Code::kCancelled; });
  BOOST_TEST(fs::is_empty(copies()));
}

BOOST_AUTO_TEST_CASE(only_copies_are_removed) {
  write("a.txt");
  copy("a");
  remove_copy(root.string());
  BOOST_TEST(fs::exists(root / "a.txt"));
  remove_copy((copies() / "a").string());
  remove_copy((copies() / "a").string());  // a missing copy is no error
  BOOST_TEST(fs::is_empty(copies()));
}

BOOST_AUTO_TEST_CASE(removing_a_copy_that_the_user_has_deleted_is_no_error) {
  write("a.txt");
  copy("a");
  fs::remove_all(copies() / "a");
  BOOST_CHECK_NO_THROW(remove_copy((copies() / "a").string()));
  BOOST_TEST(fs::is_empty(copies()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::dir_workspace
