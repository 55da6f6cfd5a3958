// Requests to the Docker engine and its answers, as HTTP/1.1 messages.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "slipway/dict.hpp"

namespace slipway::docker {

/// Appends the next piece of a body to `piece`. Returns false if nothing follows it.
using BodySource = std::function<bool(std::string& piece)>;

/// `target` is the path with its query, such as "/containers/json?all=1".
struct HttpRequest {
  std::string method = "GET";
  std::string target;
  std::string body;
  std::string content_type = "application/json";  ///< sent only with a body
  StrDict headers;
  BodySource body_source;  ///< sent in chunks behind the message, instead of `body`
};

HttpRequest post_request(std::string target, std::string body = {});
HttpRequest delete_request(std::string target);

/// Returns the request as the bytes of one HTTP/1.1 message, without the pieces of `body_source`.
std::string message_of(const HttpRequest& request);
/// Returns a piece of a `body_source` as a chunk of HTTP/1.1. The last piece may be empty.
std::string chunk_of(const std::string& piece, bool is_last);

/// Returns `text` percent-encoded for a target: all bytes except letters, digits and "-._~" become
/// '%' and two digits.
std::string url_text(std::string_view text);

/// One answer. `api_version` is the newest version of the API that the engine speaks, or empty.
struct Answer {
  int status = 0;  ///< of HTTP, such as 404
  std::string api_version;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

/// Reads one answer, which may arrive in pieces of any size. A header of more than 64 KiB, or a
/// body beyond the limit of the constructor, is an error, so a defective engine cannot exhaust the
/// memory.
class AnswerParser {
 public:
  /// Receives the pieces of the body.
  using OnBody = std::function<void(std::string_view)>;
  static constexpr std::size_t kUnlimited = 0;

  /// `body_limit` is in bytes; kUnlimited for streams.
  AnswerParser(std::size_t body_limit, OnBody on_body);
  ~AnswerParser();
  AnswerParser(const AnswerParser&) = delete;
  AnswerParser& operator=(const AnswerParser&) = delete;

  /// Reads the start of `bytes`. Returns the number of bytes that it read; the caller passes the
  /// other bytes again, followed by those that have arrived since. Throws Error kTemporary for
  /// bytes that are not HTTP.
  std::size_t put(std::string_view bytes);
  /// Ends the answer, because the engine has closed the connection. Throws Error kTemporary if the
  /// answer is not complete.
  void put_end();

  bool has_header() const;
  bool is_done() const;
  /// Returns the answer without its body. Valid after has_header().
  Answer head() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace slipway::docker
