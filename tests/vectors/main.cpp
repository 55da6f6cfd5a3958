// vector-runner [--plugins DIR] DIR: runs the behaviour vectors of a directory. See README.md.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/error.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/difference.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/skip_list.hpp"

namespace slipway::vectors {
namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kUsage = 64;
constexpr const char* kSkipsFile = "skips.toml";

// Returns whether an error with this code can be the expected one. Errors that blame Slipway or ask
// to try again cannot.
bool blames_the_input(Code code) {
  switch (code) {
    case Code::kUnimplemented:
    case Code::kUnavailable:
    case Code::kTimeout:
    case Code::kInternal:
    case Code::kAbi:
    case Code::kTemporary: return false;
    default: return true;
  }
}

std::string error_text(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.code())) + ": " + error.message();
}

// Runs a case and returns the difference from the expected result, or nullopt. Accepts any
// slipway::Error that blames the input or the state as an expected error, because the vectors have
// the types and messages of Python. Any other exception is a difference.
std::optional<Difference> judge(const Kind& kind, VectorCase one, Bench& bench) {
  const std::string wanted = one.error ? "error " + shown(*one.error) : "a value";
  try {
    const json::value got = kind.run(one, bench);
    if (!one.expected) return Difference{"$", wanted, shown(got)};
    return first_difference(*one.expected, got, kind.ordered_levels);
  } catch (const Error& error) {
    if (one.error && blames_the_input(error.code())) return std::nullopt;
    return Difference{"$", one.expected ? shown(*one.expected) : wanted, error_text(error)};
  } catch (const std::exception& error) {
    return Difference{"$", wanted, std::string("no result: ") + error.what()};
  }
}

struct Options {
  fs::path directory;
  fs::path plugins;
};

class Run {
 public:
  Run(SkipList skips, bool strict, Bench& bench)
      : skips_(std::move(skips)), strict_(strict), bench_(bench) {}

  // Prints the result of a file and its failures. Returns false if a case failed.
  bool file(const fs::path& path) {
    const std::string name = path.filename().string();
    const Kind* kind = find_kind(name);
    if (kind == nullptr) {
      std::printf("%s: unknown, not run\n", name.c_str());
      return true;
    }
    passed_ = skipped_ = 0;
    failures_.clear();
    try {
      for (VectorCase& one : read_vector_file(path.string())) run(*kind, std::move(one));
    } catch (const BenchError& error) {
      failures_.push_back(name + " " + error.what());
    }
    if (strict_) {
      for (const Skip* skip : skips_.unused(name))
        failures_.push_back(skip->name + "\n    skipped, but no such case exists");
    }
    std::printf("%s: %zu passed, %zu failed, %zu skipped\n", name.c_str(), passed_,
                failures_.size(), skipped_);
    for (const std::string& failure : failures_) std::printf("  %s\n", failure.c_str());
    std::fflush(stdout);
    return failures_.empty();
  }

 private:
  // Also runs skipped cases: a case that passes must lose its skip.
  void run(const Kind& kind, VectorCase one) {
    const Skip* skip = skips_.find(kind.file, one.name);
    const std::string name = one.name;
    const auto difference = judge(kind, std::move(one), bench_);
    if (skip != nullptr && difference) {
      ++skipped_;
    } else if (skip != nullptr && strict_) {
      failures_.push_back(name + "\n    skipped, but it passes (" + skip->reason + ")");
    } else if (difference) {
      failures_.push_back(name + "\n    at       " + difference->path + "\n    expected " +
                          difference->expected + "\n    got      " + difference->got);
    } else {
      ++passed_;
    }
  }

  SkipList skips_;
  bool strict_;
  Bench& bench_;
  std::size_t passed_ = 0;
  std::size_t skipped_ = 0;
  std::vector<std::string> failures_;
};

bool parse(int argc, char** argv, Options& options) {
  // This program is build/<preset>/tests/vectors/vector-runner and tests the tree
  // build/<preset>/tree.
  options.plugins =
      fs::read_symlink("/proc/self/exe").parent_path() / "../../tree/share/slipway/plugins.d";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--plugins" && i + 1 < argc) {
      options.plugins = argv[++i];
    } else if (argument.substr(0, 1) != "-" && options.directory.empty()) {
      options.directory = argument;
    } else {
      return false;
    }
  }
  // Absolute, because cases change the working directory.
  options.plugins = fs::absolute(options.plugins).lexically_normal();
  return !options.directory.empty();
}

std::vector<fs::path> vector_files(const fs::path& directory) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".json") out.push_back(fs::absolute(entry.path()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

int main_of(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: vector-runner [--plugins DIR] DIR\n");
    return kUsage;
  }
  // Only a directory with its own list must match that list exactly.
  const fs::path own = options.directory / kSkipsFile;
  const bool strict = fs::exists(own);
  const std::vector<fs::path> files = vector_files(options.directory);
  if (files.empty()) throw BenchError(options.directory.string() + " contains no vector files");
  // The plug-in for components in Python keeps files there.
  const ScratchDirectory cache;
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  Bench bench(options.plugins.string());
  Run run(SkipList::read(strict ? own.string() : SLIPWAY_VECTOR_SKIPS), strict, bench);
  bool good = true;
  for (const fs::path& file : files) good = run.file(file) && good;
  return good ? 0 : kFailed;
}

}  // namespace
}  // namespace slipway::vectors

int main(int argc, char** argv) {
  try {
    return slipway::vectors::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vector-runner: %s\n", error.what());
    return slipway::vectors::kUsage;
  }
}
