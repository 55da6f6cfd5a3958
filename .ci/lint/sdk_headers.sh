#!/usr/bin/env bash
# Compiles every header of the sdk on its own: the C contract as C99 and C++17 without any implicit padding, the C++
# layer as C++17 (the sdk's promise to authors, although the tree itself is C++20).
#
# usage: sdk_headers.sh [COMPILER...]   C compilers as Debian names them, gcc-11 or clang-16, each with its C++ compiler and
# also with C++20 and C++23; none: the default gcc and clang.
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

with_compilers() {  # CC CXX STANDARD_OF_CXX...
  local c=$1 cxx=$2 header standard
  shift 2
  for header in $(cd sdk/include && find slipway -name '*.h' | sort); do
    compile "$c" c c99 "$header" -Wpadded
    compile "$cxx" c++ c++17 "$header" -Wpadded
  done
  for header in $(cd sdk/include && find slipway -name '*.hpp' | sort); do
    for standard in "$@"; do compile "$cxx" c++ "$standard" "$header" -Wconversion -Wshadow; done
  done
}

failed=0
if (($# == 0)); then
  with_compilers gcc g++ c++17
  with_compilers clang clang++ c++17
fi
for compiler in "$@"; do
  echo "with $compiler"
  cxx=${compiler/#clang/clang++}
  with_compilers "$compiler" "${cxx/#gcc/g++}" c++17 c++20 c++2b
done
exit "$failed"
