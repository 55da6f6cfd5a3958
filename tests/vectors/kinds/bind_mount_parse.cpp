// Converts mount options to mounts.

#include "core/spec/mounts.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {

json::value run_bind_mount_parse(VectorCase& one, Bench&) {
  const ScratchDirectory root;
  Surroundings surroundings(root.path());
  surroundings.set("HOME", "/home/user");
  json::array out;
  for (const Mount& mount : spec::parse_mounts(texts(member(one.input, "opts"))))
    out.push_back(json_of(mount));
  return out;
}

}  // namespace slipway::vectors
