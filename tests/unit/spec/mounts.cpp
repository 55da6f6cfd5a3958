#include "core/spec/mounts.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/spec/app_json.hpp"
#include "sdk/support/app_json.hpp"

namespace slipway::spec::test {
namespace {

// Returns the mounts in `text` as JSON, or the message of the error.
std::string parsed(std::string_view text) {
  try {
    std::string out;
    for (const Mount& mount : parse_mount_string(text)) {
      out += (out.empty() ? "" : " ") +
             boost::json::serialize(AppJsonWriter(&parse_object).object(mount));
    }
    return out;
  } catch (const Error& error) {
    return error.message();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(Mounts)

BOOST_AUTO_TEST_CASE(aliases_mean_the_same) {
  const std::string expected =
      R"({"type":"bind","src_path":"/h","dst_path":"/c","read_only":true})";
  BOOST_TEST(parsed("type=bind,src=/h,dst=/c,readonly") == expected);
  BOOST_TEST(parsed("type=bind,source=/h,destination=/c,read_only") == expected);
  // As with TorchX, the value of readonly has no meaning.
  BOOST_TEST(parsed("type=bind,readonly=false,target=/c,src=/h") == expected);
}

BOOST_AUTO_TEST_CASE(each_kind_has_its_fields) {
  BOOST_TEST(parsed("type=volume,src=v,dst=/v") ==
             R"({"type":"volume","src":"v","dst_path":"/v","read_only":false})");
  BOOST_TEST(
      parsed("type=device,src=/dev/fuse") ==
      R"({"type":"device","src_path":"/dev/fuse","dst_path":"/dev/fuse","permissions":"rwm"})");
  BOOST_TEST(parsed("type=device,src=/dev/a,dst=/dev/b,perm=r") ==
             R"({"type":"device","src_path":"/dev/a","dst_path":"/dev/b","permissions":"r"})");
}

BOOST_AUTO_TEST_CASE(a_type_starts_the_next_mount) {
  BOOST_TEST(parsed("type=bind,src=/h,dst=/c,type=volume,src=v,dst=/v") ==
             R"({"type":"bind","src_path":"/h","dst_path":"/c","read_only":false} )"
             R"({"type":"volume","src":"v","dst_path":"/v","read_only":false})");
}

BOOST_AUTO_TEST_CASE(home_is_expanded_in_bind_sources_only) {
  const char* const set = getenv("HOME");
  const std::optional<std::string> home =
      set != nullptr ? std::optional<std::string>(set) : std::nullopt;
  setenv("HOME", "/home/user", 1);
  BOOST_TEST(parse_mount_string("type=bind,src=~,dst=/c")[0].src == "/home/user");
  BOOST_TEST(parse_mount_string("type=bind,src=~/x,dst=~")[0].src == "/home/user/x");
  BOOST_TEST(parse_mount_string("type=bind,src=~/x,dst=~")[0].dst == "~");
  BOOST_TEST(parse_mount_string("type=bind,src=~nosuchuser/x,dst=/c")[0].src == "~nosuchuser/x");
  BOOST_TEST(parse_mount_string("type=volume,src=~,dst=/c")[0].src == "~");
  home ? setenv("HOME", home->c_str(), 1) : unsetenv("HOME");
}

BOOST_AUTO_TEST_CASE(mistakes_are_explained) {
  BOOST_TEST(parsed("") == "unknown mount option ''");
  BOOST_TEST(parsed("src=/h,dst=/c") == "a mount starts with its type");
  BOOST_TEST(parsed("type=bind,foo=bar") == "unknown mount option 'foo'");
  BOOST_TEST(parsed("type=bind, src=/h") == "unknown mount option ' src'");
  BOOST_TEST(parsed("type=nfs,src=a,dst=b") == "unknown mount type 'nfs'");
  BOOST_TEST(parsed("type=bind,dst=/c") == "the mount has no src");
  BOOST_TEST(parsed("type=device,src=/dev/a,perm=x") ==
             "the device permissions 'x' are not of r, w and m");
  BOOST_TEST(parsed("type=device,src=/dev/a,perm=") ==
             "the device permissions '' are not of r, w and m");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
