#!/usr/bin/env bash
# Compiles every header of the sdk on its own, with both compilers: the C contract as C99 and C++17 without any implicit
# padding, the C++ layer as C++17 (the sdk's promise to authors, although the tree itself is C++20).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

compile() {  # COMPILER LANGUAGE STANDARD HEADER FLAGS...
  local compiler=$1 language=$2 standard=$3 header=$4
  shift 4
  local command=("$compiler" -x "$language" "-std=$standard" -fsyntax-only -Isdk/include -Wall -Wextra -Wpedantic
    -Werror "$@" -)
  if ! echo "#include <$header>" | "${command[@]}"; then
    echo "$header: does not compile alone with: ${command[*]}"
    failed=1
  fi
}

failed=0
for header in $(cd sdk/include && find slipway -name '*.h' | sort); do
  compile gcc c c99 "$header" -Wpadded
  compile clang c c99 "$header" -Wpadded
  compile g++ c++ c++17 "$header" -Wpadded
  compile clang++ c++ c++17 "$header" -Wpadded
done
for header in $(cd sdk/include && find slipway -name '*.hpp' | sort); do
  compile g++ c++ c++17 "$header" -Wconversion -Wshadow
  compile clang++ c++ c++17 "$header" -Wconversion -Wshadow
done
exit "$failed"
