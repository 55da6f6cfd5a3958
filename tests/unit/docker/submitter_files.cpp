#include "plugins/docker/state/submitter_files.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

namespace slipway::docker {

namespace {

using Owner = SubmitterFiles::Owner;

/// A directory for the files of submitters, below a temporary directory.
struct Root {
  std::string path;

  Root() {
    std::string name = (std::filesystem::temp_directory_path() / "slipway-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name + "/docker";
    std::filesystem::create_directory(path);
    ::chmod(path.c_str(), 0700);
  }
  ~Root() { std::filesystem::remove_all(std::filesystem::path(path).parent_path()); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  SubmitterFiles app(const std::string& id = "app-x") const { return {path, id}; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerSubmitterFiles)

BOOST_AUTO_TEST_CASE(command_is_taken_once_and_unchanged) {
  const Root root;
  const EndCommand command{"echo a\nb", "/some where", {"A=1", "B="}};
  root.app().keep_end_command(command);
  BOOST_TEST(root.app().has_end_command());
  const auto taken = root.app().take_end_command();
  BOOST_REQUIRE(taken);
  BOOST_TEST(taken->text == command.text);
  BOOST_TEST(taken->cwd == command.cwd);
  BOOST_TEST((taken->environment == command.environment));
  BOOST_TEST(!root.app().has_end_command());
  BOOST_TEST(!root.app().take_end_command());
}

BOOST_AUTO_TEST_CASE(owner_ends_with_its_lock) {
  const Root root;
  BOOST_TEST((root.app().owner() == Owner::kNone));
  {
    const OwnedFd lock = root.app().own();
    BOOST_TEST((root.app().owner() == Owner::kAlive));
  }
  BOOST_TEST((root.app().owner() == Owner::kEnded));
  root.app().give_up();
  BOOST_TEST((root.app().owner() == Owner::kNone));
}

BOOST_AUTO_TEST_CASE(output_stays_until_the_app_is_deleted) {
  const Root root;
  root.app().keep_end_command({"true", "/", {}});
  BOOST_TEST(static_cast<bool>(root.app().open_end_log()));
  root.app().forget();
  BOOST_TEST(!root.app().has_end_command());
  BOOST_TEST(std::filesystem::exists(root.path + "/app-x/on_end.log"));
  root.app().remove();
  BOOST_TEST(std::filesystem::is_empty(root.path));
}

BOOST_AUTO_TEST_CASE(app_id_from_the_engine_leads_to_no_other_directory) {
  const Root root;
  root.app("victim").keep_end_command({"true", "/", {}});
  std::filesystem::create_directory(root.path + "/app-x");  // makes app-x/../victim a valid path
  // The commands that "", "." and ".." would lead to.
  const std::filesystem::path top(root.path);
  for (const std::filesystem::path& directory : {top, top.parent_path()})
    std::filesystem::copy_file(top / "victim" / "on_end", directory / "on_end");
  for (const char* id : {"../docker/victim", "app-x/../victim", "..", ".", ""}) {
    BOOST_TEST(!root.app(id).has_end_command(), id);
    BOOST_TEST(!root.app(id).take_end_command(), id);
  }
  BOOST_TEST(root.app("victim").has_end_command());
}

BOOST_AUTO_TEST_CASE(directory_that_others_may_write_to_is_not_trusted) {
  const Root root;
  root.app().keep_end_command({"true", "/", {}});
  const OwnedFd lock = root.app().own();
  for (const std::string& path : {root.path, root.path + "/app-x"}) {
    ::chmod(path.c_str(), 0777);
    BOOST_TEST(!root.app().take_end_command(), path);
    BOOST_TEST((root.app().owner() == Owner::kNone), path);
    ::chmod(path.c_str(), 0700);
  }
  BOOST_TEST(root.app().has_end_command());
  std::filesystem::rename(root.path + "/app-x", root.path + "/elsewhere");
  std::filesystem::create_directory_symlink(root.path + "/elsewhere", root.path + "/app-x");
  BOOST_TEST(!root.app().take_end_command());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
