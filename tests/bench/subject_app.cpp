#include "tests/bench/subject_app.hpp"

#include <exception>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace slipway::bench {

namespace {

Argv with(Argv words, const Argv& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

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
  return with(with({slipway_, "run", "-c", "cache_size=100000"}, more), {path_});
}

DetachedApp::DetachedApp(const SubjectApp& definition, const Argv& more)
    : definition_(definition),
      handle_(output_of(definition.run_argv(with({"-q", "-d"}, more)))),
      exceptions_before_(std::uncaught_exceptions()) {}

DetachedApp::~DetachedApp() {
  if (std::uncaught_exceptions() == exceptions_before_) return;
  run_cleanup({definition_.slipway(), "cancel", "--now", handle_});
}

}  // namespace slipway::bench
