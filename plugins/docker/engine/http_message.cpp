#include "plugins/docker/engine/http_message.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <utility>

#include "sdk/support/percent_text.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace http = boost::beast::http;

namespace {

constexpr std::uint32_t kHeaderLimit = 64 * 1024;  // bytes

Error malformed(const boost::system::error_code& error) {
  return {Code::kTemporary, "the Docker engine's answer is not valid HTTP: " + error.message(),
          "if it happens again, see whether another program listens on the engine's socket"};
}

}  // namespace

std::string message_of(const HttpRequest& request) {
  std::string out = request.method + " " + request.target + " HTTP/1.1\r\nHost: docker\r\n";
  for (const auto& [name, value] : request.headers) out += name + ": " + value + "\r\n";
  if (!request.body.empty() || request.body_source)
    out += "Content-Type: " + request.content_type + "\r\n";
  if (request.body_source) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (request.method != "GET") {
    out += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  return out + "\r\n" + request.body;
}

std::string chunk_of(const std::string& piece, bool is_last) {
  std::array<char, 16> size{};
  char* const end = std::to_chars(size.data(), size.data() + size.size(), piece.size(), 16).ptr;
  std::string out;
  if (!piece.empty()) out = std::string(size.data(), end) + "\r\n" + piece + "\r\n";
  return is_last ? out + "0\r\n\r\n" : out;
}

HttpRequest post_request(std::string target, std::string body) {
  HttpRequest out;
  out.method = "POST";
  out.target = std::move(target);
  out.body = std::move(body);
  return out;
}

HttpRequest delete_request(std::string target) {
  HttpRequest out;
  out.method = "DELETE";
  out.target = std::move(target);
  return out;
}

std::string url_text(std::string_view text) { return percent_encoded(text); }

/// Beast's parser. Of the header it keeps only the status and the API version.
class AnswerParser::Parser : public http::basic_parser<false> {
 public:
  explicit Parser(OnBody on_body) : on_body_(std::move(on_body)) {}

  int status = 0;
  std::string api_version;

 private:
  using Text = boost::beast::string_view;
  using Failure = boost::beast::error_code;

  void on_request_impl(http::verb, Text, Text, int, Failure&) override {}
  void on_response_impl(int code, Text, int, Failure&) override { status = code; }
  void on_field_impl(http::field, Text name, Text value, Failure&) override {
    if (boost::beast::iequals(name, "Api-Version")) api_version.assign(value.data(), value.size());
  }
  void on_header_impl(Failure&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Failure&) override {}
  std::size_t on_body_impl(Text bytes, Failure&) override {
    on_body_({bytes.data(), bytes.size()});
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, Text, Failure&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text bytes, Failure&) override {
    on_body_({bytes.data(), bytes.size()});
    return bytes.size();
  }
  void on_finish_impl(Failure&) override {}

  OnBody on_body_;
};

AnswerParser::AnswerParser(std::size_t body_limit, OnBody on_body)
    : parser_(std::make_unique<Parser>(std::move(on_body))) {
  parser_->eager(true);  // one call of put() reads the header and the body behind it
  parser_->header_limit(kHeaderLimit);
  if (body_limit == kUnlimited) {
    parser_->body_limit(boost::none);
  } else {
    parser_->body_limit(body_limit);
  }
}

AnswerParser::~AnswerParser() = default;

std::size_t AnswerParser::put(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !is_done()) {
    boost::beast::error_code error;
    const std::size_t count =
        parser_->put(boost::asio::buffer(bytes.data() + used, bytes.size() - used), error);
    used += count;
    if (error == http::error::need_more) break;
    if (error == http::error::body_limit || error == http::error::header_limit) {
      throw Error(Code::kTemporary, "the Docker engine's answer is too long: " + error.message(),
                  "see whether another program listens on the engine's socket");
    }
    if (error) throw malformed(error);
    if (count == 0) break;
  }
  return used;
}

void AnswerParser::put_end() {
  boost::beast::error_code error;
  // Without a header, put_eof() would treat the answer as complete.
  if (has_header() && !is_done()) parser_->put_eof(error);
  if (error || !is_done()) {
    const char* when = parser_->got_some() ? "in the middle of its answer" : "without an answer";
    throw Error(Code::kTemporary, std::string("the Docker engine closed the connection ") + when,
                "see whether the engine has been stopped: `systemctl status docker`");
  }
}

bool AnswerParser::has_header() const { return parser_->is_header_done(); }
bool AnswerParser::is_done() const { return parser_->is_done(); }

Answer AnswerParser::head() const { return {parser_->status, parser_->api_version, {}}; }

}  // namespace slipway::docker
