#include "sdk/support/installed_files.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "slipway/error.hpp"

namespace slipway {
namespace {

namespace fs = std::filesystem;

/// An installation with a library, a program, and a script with a module.
struct Installation {
  Installation() {
    std::string name = (fs::temp_directory_path() / "slipway-installed-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    prefix = name;
    make(library, 0644);
    make(program, 0755);
    make(script, 0644);
    make(module, 0644);
    for (const auto& each : fs::recursive_directory_iterator(prefix)) {
      if (each.is_directory()) set_mode(each.path(), 0755);
    }
  }
  ~Installation() { fs::remove_all(prefix); }

  void make(const std::string& name, mode_t mode) const {
    fs::create_directories((prefix / name).parent_path());
    std::ofstream(prefix / name) << "x";
    set_mode(name, mode);
  }

  void set_mode(const fs::path& name, mode_t mode) const {
    BOOST_REQUIRE(::chmod((prefix / name).c_str(), mode) == 0);
  }

  /// Returns the message of the error that `check` throws, without the prefix; empty if it throws
  /// none.
  std::string refusal(void (*check)(const std::string&, const std::string&),
                      const std::string& file, Code code = Code::kDenied) const {
    try {
      check((prefix / file).string(), (prefix / library).string());
    } catch (const Error& error) {
      BOOST_TEST(static_cast<int>(error.code()) == static_cast<int>(code));
      std::string out = error.message();
      const std::size_t at = out.find(prefix.string() + '/');
      return at == std::string::npos ? out : out.erase(at, prefix.string().size() + 1);
    }
    return {};
  }

  fs::path prefix;
  const std::string library = "lib/slipway/libslipway_x.so";
  const std::string program = "libexec/slipway/helper";
  const std::string script = "share/slipway/python/bridge.py";
  const std::string module = "share/slipway/python/package/module.py";
};

BOOST_FIXTURE_TEST_SUITE(InstalledFiles, Installation)

BOOST_AUTO_TEST_CASE(files_of_the_caller_are_used) {
  BOOST_TEST(refusal(check_installed_program, program) == "");
  BOOST_TEST(refusal(check_installed_script, script) == "");
  BOOST_TEST(prefix_of_library(prefix / library).string() == prefix.string());
}

BOOST_AUTO_TEST_CASE(files_that_all_users_may_write_to_are_refused) {
  set_mode("libexec/slipway", 0757);
  BOOST_TEST(refusal(check_installed_program, program) ==
             "the directory libexec/slipway is world-writable");
  set_mode(program, 0757);
  BOOST_TEST(refusal(check_installed_program, program) ==
             "the program libexec/slipway/helper is world-writable");
  // In a sticky directory another user can still add a module that hides one.
  for (const mode_t mode : {mode_t{0757}, mode_t{01757}}) {
    set_mode("share/slipway/python/package", mode);
    BOOST_TEST(refusal(check_installed_script, script) ==
               "the directory share/slipway/python/package is world-writable");
  }
  set_mode("share/slipway/python/package", 0755);
  set_mode(module, 0646);
  BOOST_TEST(refusal(check_installed_script, script) ==
             "the file share/slipway/python/package/module.py is world-writable");
}

BOOST_AUTO_TEST_CASE(files_in_linked_directories_of_a_script_are_checked) {
  make("elsewhere/module.py", 0646);
  set_mode("elsewhere", 0755);
  fs::create_directory_symlink(prefix / "elsewhere", prefix / "share/slipway/python/linked");
  BOOST_TEST(refusal(check_installed_script, script) ==
             "the file share/slipway/python/linked/module.py is world-writable");
}

BOOST_AUTO_TEST_CASE(group_may_write_only_if_it_may_write_to_the_library) {
  set_mode(program, 0775);
  BOOST_TEST(refusal(check_installed_program, program)
                 .starts_with("the program libexec/slipway/helper is writable by the group "));
  set_mode("lib/slipway", 0775);
  BOOST_TEST(refusal(check_installed_program, program) == "");
  set_mode("lib/slipway", 0755);
  set_mode(library, 0664);
  BOOST_TEST(refusal(check_installed_program, program) == "");
}

BOOST_AUTO_TEST_CASE(files_that_are_missing_or_of_another_kind_are_refused) {
  set_mode(program, 0644);
  BOOST_TEST(refusal(check_installed_program, program) ==
             "the program libexec/slipway/helper cannot be run: Permission denied");
  fs::remove(prefix / program);
  BOOST_TEST(refusal(check_installed_program, program, Code::kUnavailable) ==
             "the program libexec/slipway/helper is missing");
  fs::create_directory(prefix / program);
  BOOST_TEST(refusal(check_installed_program, program, Code::kUnavailable) ==
             "the program libexec/slipway/helper is a directory");
  fs::remove(prefix / script);
  BOOST_TEST(refusal(check_installed_script, script, Code::kUnavailable) ==
             "the file share/slipway/python/bridge.py is missing");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
