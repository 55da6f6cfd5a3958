#include "sdk/support/system_error.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace slipway {

bool is_shortage(int error) {
  switch (error) {
    case EAGAIN:
    case ENOMEM:
    case ENOBUFS:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT: return true;
    default: return false;
  }
}

Error system_error(Code code, std::string_view action, std::string_view path, int errno_value,
                   std::string hint) {
  std::string message(action);
  message += ' ';
  message += path;
  message += ": ";
  message += std::strerror(errno_value);
  if (code == Code::kUnavailable && is_shortage(errno_value)) code = Code::kTemporary;
  return Error(code, std::move(message), std::move(hint));
}

}  // namespace slipway
