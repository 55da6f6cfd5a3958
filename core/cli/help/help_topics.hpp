// The topics of `slipway help`. The build generates the source file of this header from topics.txt
// and from the pages of core/docs.
#pragma once

#include <span>
#include <string_view>

namespace slipway::cli {

/// A subject that `slipway help NAME` explains.
struct HelpTopic {
  std::string_view name;
  std::string_view summary;
  std::string_view page;      ///< the file in core/docs that has the text
  std::string_view markdown;  ///< sections of that page
};

/// Returns all topics, in the order in which help lists them.
std::span<const HelpTopic> help_topics();

}  // namespace slipway::cli
