#include "tests/bench/subject_app.hpp"

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

std::string SubjectApp::start() const { return output_of(run_argv({"-q", "-d"})); }

}  // namespace slipway::bench
