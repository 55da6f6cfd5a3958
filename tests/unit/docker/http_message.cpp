#include "plugins/docker/engine/http_message.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

// ";x=y" is an extension of the second chunk, which the parser ignores.
const std::string kChunked =
    "HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n";

/// Reads an answer in pieces of `size` bytes. Returns its body.
std::string read_in_pieces(const std::string& message, std::size_t size) {
  std::string body;
  AnswerParser parser(1 << 20, [&](std::string_view piece) { body += piece; });
  std::string arrived;
  for (std::size_t at = 0; at < message.size(); at += size) {
    arrived += message.substr(at, size);
    arrived.erase(0, parser.put(arrived));
  }
  BOOST_TEST(parser.is_done());
  return body;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(HttpMessage)

BOOST_AUTO_TEST_CASE(body_of_a_source_is_sent_in_chunks) {
  HttpRequest request = post_request("/build");
  request.content_type = "application/x-tar";
  request.body_source = [](std::string&) { return false; };
  BOOST_TEST(message_of(request) ==
             "POST /build HTTP/1.1\r\nHost: docker\r\nContent-Type: application/x-tar\r\n"
             "Transfer-Encoding: chunked\r\n\r\n");
  BOOST_TEST(chunk_of(std::string(26, 'x'), /*is_last=*/false) ==
             "1a\r\n" + std::string(26, 'x') + "\r\n");
  BOOST_TEST(chunk_of("", /*is_last=*/false).empty());
  BOOST_TEST(chunk_of("ab", /*is_last=*/true) == "2\r\nab\r\n0\r\n\r\n");
  BOOST_TEST(chunk_of("", /*is_last=*/true) == "0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(request_has_a_length_and_its_headers) {
  HttpRequest request;
  request.method = "POST";
  request.target = "/containers/create?name=a";
  request.body = "{}";
  request.headers = {{"X-Registry-Auth", "e30="}};
  BOOST_TEST(message_of(request) ==
             "POST /containers/create?name=a HTTP/1.1\r\nHost: docker\r\nX-Registry-Auth: e30=\r\n"
             "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  HttpRequest question;
  question.target = "/_ping";
  BOOST_TEST(message_of(question) == "GET /_ping HTTP/1.1\r\nHost: docker\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(text_of_a_query_is_escaped) {
  BOOST_TEST(url_text("a-b_c.d~9") == "a-b_c.d~9");
  BOOST_TEST(url_text("{\"a\": 1}&\xc3\xbc") == "%7B%22a%22%3A%201%7D%26%C3%BC");
}

BOOST_AUTO_TEST_CASE(chunks_arrive_in_pieces_of_any_size) {
  for (std::size_t size = 1; size <= kChunked.size(); ++size)
    BOOST_TEST(read_in_pieces(kChunked, size) == "hello world");
}

BOOST_AUTO_TEST_CASE(answer_leaves_the_bytes_of_the_next_one) {
  const std::string empty = "HTTP/1.1 204 No Content\r\n\r\n";
  AnswerParser parser(100, [](std::string_view) {});
  BOOST_TEST(parser.put(empty + kChunked) == empty.size());
  BOOST_TEST(parser.is_done());
  BOOST_TEST(parser.head().status == 204);
}

BOOST_AUTO_TEST_CASE(head_has_status_and_version) {
  AnswerParser parser(100, [](std::string_view) {});
  parser.put(kChunked);
  BOOST_TEST(parser.head().status == 200);
  BOOST_TEST(parser.head().api_version == "1.41");
}

BOOST_AUTO_TEST_CASE(answer_without_a_length_ends_with_the_connection) {
  std::string body;
  AnswerParser parser(100, [&](std::string_view piece) { body += piece; });
  parser.put("HTTP/1.1 200 OK\r\n\r\nall");
  BOOST_TEST(!parser.is_done());
  parser.put_end();
  BOOST_TEST(body == "all");
}

BOOST_AUTO_TEST_CASE(truncated_answers_are_errors) {
  for (std::size_t size = 0; size < kChunked.size(); ++size) {
    AnswerParser parser(100, [](std::string_view) {});
    parser.put(std::string_view(kChunked).substr(0, size));
    const std::string said = size == 0 ? "without an answer" : "in the middle of its answer";
    BOOST_CHECK_EXCEPTION(parser.put_end(), Error,
                          [&](const Error& error) { return error.message().ends_with(said); });
  }
}

BOOST_AUTO_TEST_CASE(long_bodies_are_errors) {
  AnswerParser parser(5, [](std::string_view) {});
  BOOST_CHECK_THROW(parser.put("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
