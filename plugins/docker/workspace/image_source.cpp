#include "plugins/docker/workspace/image_source.hpp"

#include <filesystem>
#include <utility>

#include "sdk/support/absolute_path.hpp"
#include "sdk/support/percent_text.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

void set_parameter(ImageSource& out, const std::string& key, std::string value) {
  if (key == "from") {
    out.from = std::move(value);
  } else if (key == "pull") {
    out.pull = read_pull(Cfg({{"pull", Value(std::move(value))}}));
  } else {
    throw Error(Code::kInvalid, "a workspace of the kind image has no parameter \"" + key + "\"",
                "write image:///DIR?from=IMAGE&pull=missing");
  }
}

}  // namespace

ImageSource parse_image_source(std::string_view source) {
  ImageSource out;
  const std::size_t scheme = source.find("://");
  std::string_view query;
  if (scheme == std::string_view::npos) {
    out.path = source;
  } else {
    source.remove_prefix(scheme + 3);
    const std::size_t question_mark = source.find('?');
    out.path = percent_decoded(source.substr(0, question_mark));
    if (question_mark != std::string_view::npos) query = source.substr(question_mark + 1);
  }
  if (out.path.empty() || out.path.front() != '/')
    throw Error(Code::kInvalid, "the workspace \"" + out.path + "\" is not an absolute path");
  const std::filesystem::path normal = normal_path(out.path);
  // A path that ends with '/' has no file name.
  out.path = (normal.has_filename() ? normal : normal.parent_path()).string();
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = pair.find('=');
    set_parameter(out, percent_decoded(pair.substr(0, equals)),
                  equals == std::string_view::npos ? std::string()
                                                   : percent_decoded(pair.substr(equals + 1)));
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  }
  return out;
}

}  // namespace slipway::docker
