#include "tests/bench/subject_app.hpp"

#include <exception>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace slipway::bench {

SubjectApp::SubjectApp(const std::string& slipway, std::string path, const Argv& command,
                       int replicas)
    : slipway_(slipway), path_(std::move(path)) {
  std::ofstream file(path_);
  file << "name = \"bench\"\n[[roles]]\nname = \"worker\"\nimage = \".\"\nentrypoint = '"
       << command.front() << "'\nnum_replicas = " << replicas << "\nargs = [";
  for (std::size_t i = 1; i < command.size(); ++i)
    file << (i > 1 ? ", '" : "'") << command[i] << "'";
  file << "]\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path_);
}

Argv SubjectApp::run_argv(const Argv& more) const {
  Argv argv{slipway_, "run", "-c", "cache_size=100000"};
  argv.insert(argv.end(), more.begin(), more.end());
  argv.push_back(path_);
  return argv;
}

DetachedApp::DetachedApp(const SubjectApp& definition)
    : definition_(definition),
      handle_(output_of(definition.run_argv({"-q", "-d"}))),
      exceptions_before_(std::uncaught_exceptions()) {}

DetachedApp::~DetachedApp() {
  if (std::uncaught_exceptions() == exceptions_before_) return;
  try {
    ChildProcess({definition_.slipway(), "cancel", "--now", handle_}).wait();
  } catch (const std::exception&) {
    // It has ended already; what went wrong is on its way to the user.
  }
}

}  // namespace slipway::bench
