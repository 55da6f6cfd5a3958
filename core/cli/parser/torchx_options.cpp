#include "core/cli/parser/torchx_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/cli/options/subcommands.hpp"
#include "core/cli/parser/component_words.hpp"

namespace slipway::cli {

namespace {

// Options of TorchX, and the options of Slipway that do the same.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSynonyms = {{
    {"-cfg", "--cfg"},
    {"--scheduler_args", "--cfg"},
    {"--tee_logs", "--log"},
    {"--streams", "--stream"},
}};

bool has_option(const CLI::App& app, const CLI::App* sub, const std::string& name) {
  return app.get_option_no_throw(name) != nullptr ||
         (sub != nullptr && sub->get_option_no_throw(name) != nullptr);
}

/// Returns the word, such as `--tee_logs` or `--log_level=debug`, with Slipway's name of the
/// option. Returns it unchanged if the command has no such option.
std::string known_option(const CLI::App& app, const CLI::App* sub, const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  std::string name = word.substr(0, equals);
  if (name.starts_with("--") && has_option(app, sub, name)) return word;
  const auto synonym = std::find_if(kSynonyms.begin(), kSynonyms.end(),
                                    [&](const auto& each) { return each.first == name; });
  if (synonym != kSynonyms.end()) {
    name = synonym->second;
  } else if (name.starts_with("--")) {
    std::replace(name.begin(), name.end(), '_', '-');
  }
  return has_option(app, sub, name) ? name + word.substr(equals) : word;
}

}  // namespace

std::vector<std::string> with_known_options(const CLI::App& app,
                                            const std::vector<std::string>& arguments) {
  std::vector<std::string> out = arguments;
  const CLI::App* sub = nullptr;
  for (std::size_t i = 0; i < out.size() && out[i] != "--"; ++i) {
    if (out[i].size() > 1 && out[i].front() == '-') {
      out[i] = known_option(app, sub, out[i]);
      if (value_follows(app, sub, out[i])) ++i;
    } else if (const CLI::App* next = subcommand_named(sub != nullptr ? *sub : app, out[i])) {
      sub = next;
    } else if (sub != nullptr && takes_component_words(*sub) && is_component(out[i])) {
      break;
    }
  }
  return out;
}

}  // namespace slipway::cli
