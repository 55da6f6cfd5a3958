#pragma once

#include <stdexcept>
#include <string>

namespace slipway::bench {

/// An invalid command line; what() explains why.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct BenchOptions {
  std::string tree;    ///< absolute path of the tree to measure
  std::string only;    ///< the group to run (start, launch, peers, wait, ...); empty: all
  bool quick = false;  ///< fewer rounds, less in `docker`, and no rows with a long preparation
  bool check = false;  ///< a row above its target makes the exit status 1

  bool wants(const char* group) const { return only.empty() || only == group; }
};

/// Throws UsageError.
BenchOptions parse_options(int argc, char** argv);

const char* usage_text();

}  // namespace slipway::bench
