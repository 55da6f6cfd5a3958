#include "tests/faults/injector/report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace slipway::faults {

Report::Report(const std::string& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
  // Not a std::system_error: main() would take EACCES for a kernel that forbids ptrace.
  if (!file_) throw std::runtime_error(path + ": " + std::strerror(errno));
}

void Report::add_line(const std::string& text) const {
  const std::string whole = text + "\n";
  // The test that reads the report notices a lost line, because an event is missing.
  [[maybe_unused]] const ssize_t written = ::write(file_.get(), whole.data(), whole.size());
}

}  // namespace slipway::faults
