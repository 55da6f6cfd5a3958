#include "core/spec/app_toml.hpp"

#include "core/spec/document.hpp"
#include "core/spec/validate.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/targets/read_back.hpp"

namespace {

slipway::spec::AppFile read(std::string_view text) {
  slipway::spec::ProblemList problems;
  slipway::spec::AppFile file =
      slipway::spec::read_app_document(slipway::spec::parse_toml(text, "input"), "input", problems);
  slipway::spec::validate(file, problems);
  problems.throw_if_errors();
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slipway::AppDef app;
  try {
    app = read(slipway::fuzz::text_of(data, size)).app;
  } catch (const slipway::Error&) {
    return 0;
  }
  // Outside the try block, because a written app must be accepted again.
  slipway::fuzz::require_json_reads_back(app);
  slipway::fuzz::require_equal(app, read(slipway::spec::to_toml(app)).app,
                               "an app written as TOML reads back");
  return 0;
}
