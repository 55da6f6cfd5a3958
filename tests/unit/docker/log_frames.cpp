#include "plugins/docker/logs/log_frames.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "plugins/docker/engine/engine_time.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

const std::string kTimeText = "2026-11-24T18:55:31.000000007Z";
constexpr std::int64_t kTime = 1'795'546'531'000'000'007;

/// Returns a message as the engine sends it, after a header with its stream and its length.
std::string frame(int stream, const std::string& message) {
  std::string out(8, '\0');
  out[0] = static_cast<char>(stream);
  out[6] = static_cast<char>(message.size() >> 8);
  out[7] = static_cast<char>(message.size() & 0xff);
  return out + message;
}

struct Message {
  Stream stream;
  TimeNs time;
  std::string text;
};

std::vector<Message> read_all(std::string& bytes) {
  std::vector<Message> out;
  LogFrames().read(bytes, [&](Stream stream, TimeNs time, std::string_view text) {
    out.push_back({stream, time, std::string(text)});
  });
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(LogFramesTest)

BOOST_AUTO_TEST_CASE(frame_has_stream_time_and_message) {
  std::string bytes = frame(1, kTimeText + " out\n") + frame(2, kTimeText + " ");
  const auto messages = read_all(bytes);
  BOOST_REQUIRE(messages.size() == 2);
  BOOST_TEST((messages[0].stream == Stream::kStdout));
  BOOST_TEST((messages[0].time == kTime));
  BOOST_TEST(messages[0].text == "out\n");
  BOOST_TEST((messages[1].stream == Stream::kStderr));
  BOOST_TEST(messages[1].text == "");
  BOOST_TEST(bytes.empty());
}

BOOST_AUTO_TEST_CASE(time_in_another_time_zone_is_read) {
  std::string bytes = frame(1, "2026-11-24T19:55:31.000000007+01:00 out\n") +
                      frame(1, "2026-11-24T09:25:31.000000007-09:30 \n");
  const auto messages = read_all(bytes);
  BOOST_REQUIRE(messages.size() == 2);
  BOOST_TEST((messages[0].time == kTime));
  BOOST_TEST(messages[0].text == "out\n");
  BOOST_TEST((messages[1].time == kTime));
  BOOST_TEST(messages[1].text == "\n");
}

BOOST_AUTO_TEST_CASE(incomplete_frame_waits_for_the_rest) {
  const std::string whole = frame(1, kTimeText + " out\n");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string bytes = whole.substr(0, size);
    BOOST_TEST(read_all(bytes).empty());
    bytes += whole.substr(size);
    BOOST_TEST(read_all(bytes).size() == 1);
  }
}

BOOST_AUTO_TEST_CASE(message_without_a_time_is_kept) {
  // The blank stands where it would follow a time.
  const std::string text = std::string(kTimeText.size(), 'x') + " no time\n";
  std::string bytes = frame(1, text);
  const auto messages = read_all(bytes);
  BOOST_REQUIRE(messages.size() == 1);
  BOOST_TEST(!messages[0].time);
  BOOST_TEST(messages[0].text == text);
}

BOOST_AUTO_TEST_CASE(damaged_frames_are_errors) {
  std::string unknown_stream = frame(9, "x");
  BOOST_CHECK_THROW(read_all(unknown_stream), Error);
  std::string huge = std::string("\x01\0\0\0\x7f\xff\xff\xff", 8);
  BOOST_CHECK_THROW(read_all(huge), Error);
}

BOOST_AUTO_TEST_CASE(times_are_read_and_written) {
  BOOST_TEST((parse_time("2026-11-24T18:55:31.5Z") == 1'795'546'531'500'000'000));
  BOOST_TEST((parse_time("2026-11-24T18:55:31Z") == 1'795'546'531'000'000'000));
  BOOST_TEST(!parse_time("0001-01-01T00:00:00Z"));  // the engine's text for no time
  BOOST_TEST(!parse_time("yesterday"));
  BOOST_TEST(!parse_time("2026-11-24T18:55:31"));  // no time zone
  BOOST_TEST(!parse_time("2026-11-24T18:55:31Zoe"));
  BOOST_TEST(query_time(kTime) == "1795546531.000000007");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
