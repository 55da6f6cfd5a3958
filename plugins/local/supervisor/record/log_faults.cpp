#include "plugins/local/supervisor/record/log_faults.hpp"

namespace slipway::local {

void LogFaults::tell(const std::string& error) {
  if (error == told_) return;
  told_ = error;
  // A reason to stop matters more, and comes after this one if it comes.
  const bool silent = files_.state().header().message_length.load() == 0;
  if (silent) files_.set_message("the logs are not complete: " + error);
  files_.events().add(files_.changed(), "logs: " + error);
}

}  // namespace slipway::local
