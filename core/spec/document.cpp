#include "core/spec/document.hpp"

#include "core/spec/document_text.hpp"

namespace slipway::spec {

Node read_document(const std::string& path) {
  const bool is_json = path.ends_with(".json");
  if (!is_json && !path.ends_with(".toml")) {
    // A missing file is the likelier mistake; read_text_file() reports it with its own message.
    read_text_file(path);
    throw Error(Code::kInvalid, "cannot tell the format of " + quoted(path) + " from its name",
                "app files end in .toml or .json, and `slipway run -- PROGRAM` runs a program");
  }
  const std::string text = read_text_file(path);
  return is_json ? parse_json(text, path) : parse_toml(text, path);
}

}  // namespace slipway::spec
