// bench-parse-app FILE: reads FILE as an app, validates it and resolves its resources, as `slipway
// run` does before it calls a scheduler.
#include "core/spec/document.hpp"
#include "core/spec/load_app.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  const slipway::spec::ResourceResolver resolver = [](std::string_view) {
    return slipway::Resource{2, 0, 2048, {}, {}, {}};
  };
  const slipway::spec::AppFile file =
      slipway::spec::load_app_document(slipway::spec::read_document(argv[1]), argv[1], resolver,
                                       [] { return std::vector<std::string>{}; });
  return file.app.roles.empty() ? 65 : 0;
}
