#include "core/config/config_file.hpp"

#include "core/config/settings.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace config = slipway::config;
  // Problems of a file are returned; nothing is thrown.
  std::vector<slipway::spec::Problem> problems;
  config::FileContent content = config::read_config(slipway::fuzz::text_of(data, size), "input",
                                                    config::Layer::kProject, problems);
  const config::Settings settings(std::move(content.settings), content.profiles,
                                  std::move(content.site.limits), problems);
  for (const config::Setting* setting : settings.in_force())
    slipway::fuzz::require(settings.find(setting->key) == setting, "an effective setting is found");
  for (const slipway::spec::Problem& problem : problems)
    slipway::fuzz::require(slipway::spec::to_string(problem).find('\n') == std::string::npos,
                           "a problem is one line");
  return 0;
}
