// A record that another version of Slipway wrote, in a format that this one does not know.
#pragma once

#include <string>

#include "slipway/error.hpp"

namespace slipway::local {

/// Whoever catches this changes nothing: no process is killed, no file written, moved or removed.
class OtherVersion : public Error {
 public:
  /// `file` of the record has the format `found`; `known` is the one of this program.
  OtherVersion(const std::string& file, const std::string& found, const std::string& known)
      : Error(Code::kUnavailable,
              file + " was written by another version of Slipway (format " + found +
                  ", this version knows format " + known + ")",
              "use the version that started the app; this one leaves the record as it is") {}
};

}  // namespace slipway::local
