#include "plugins/slurm/script/node_signal.hpp"

#include <algorithm>
#include <array>
#include <csignal>

namespace slipway::slurm {

bool wrapper_outlives(int signal) {
  constexpr std::array kDeadly = {SIGILL,  SIGBUS,  SIGFPE,  SIGKILL, SIGSEGV,
                                  SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
  constexpr int kFirstOfLibrary = 32;
  constexpr int kLastOfLibrary = 33;
  return std::find(kDeadly.begin(), kDeadly.end(), signal) == kDeadly.end() &&
         (signal < kFirstOfLibrary || signal > kLastOfLibrary);
}

// `read -d ''` reads up to a NUL or the end of the file: a process may have a newline in its name.
std::string node_signal_script() {
  return R"(app=$1 part=$2 signal=$3 here=${SLURMD_NODENAME:-$HOSTNAME}
shift 3
declare -A parents children
for file in /proc/[0-9]*/stat; do
  line=
  IFS= read -r -d '' line 2>/dev/null <"$file"
  [[ $line ]] || continue
  pid=${line%% *} rest=${line##*) }
  rest=${rest#* }
  parents[$pid]=${rest%% *}
  children[${rest%% *}]+=" $pid"
done
is_wrapper() {  # PID
  local word words=() owner=
  while IFS= read -r -d '' word; do words+=("$word"); done 2>/dev/null <"/proc/$1/cmdline"
  while IFS= read -r -d '' word; do
    [[ $word != "SLIPWAY_APP_ID=$app" ]] || owner=1
  done 2>/dev/null <"/proc/$1/environ"
  [[ $owner && ${words[2]-} == "slipway_part_$part" ]]
}
while (($#)); do
  pid=$1 replica=$2 node=$3
  shift 3
  [[ $node == "$here" && ${parents[$pid]-} ]] && is_wrapper "${parents[$pid]}" || continue
  tree=(${children[$pid]-})
  for ((i = 0; i < ${#tree[@]}; i++)); do tree+=(${children[${tree[i]}]-}); done
  kill -n "$signal" "$pid" 2>/dev/null && printf '%s\n' "$replica"
  ((${#tree[@]} == 0)) || kill -n "$signal" "${tree[@]}" 2>/dev/null
done
exit 0
)";
}

}  // namespace slipway::slurm
