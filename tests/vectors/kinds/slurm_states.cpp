// Converts a state of a Slurm job to an app's state.

#include "plugins/slurm/state/job_state.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_slurm_states(VectorCase& one, Bench&) {
  return json::string(to_string(slurm::first_known_state({text_member(one.input, "slurm_state")})));
}

}  // namespace slipway::vectors
