#!/usr/bin/env bash
# Compiles every header of the sdk on its own: the C contract as C99 and C++17 without any implicit padding, the C++
# layer as C++17, which the sdk promises to authors although the tree itself is C++20. Without arguments, also checks
# that the whole C++ layer is in its inline namespace, so that two plug-ins with different SDKs share no class in one
# process.
#
# Usage: sdk_headers.sh [COMPILER...]   Each COMPILER is a C compiler as Debian names it, such as gcc-11 or clang-16. Uses
# it and its C++ compiler, also with C++20 and C++23. Without arguments, uses the default gcc and clang.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# clang computes the layout of a struct, and so its padding, only when something needs its size.
text_of() {  # HEADER
  echo "#include <$1>"
  sed -nE 's/^\} (slipway_\w+);$/\1/p; s/^struct (slipway_\w+) \{$/struct \1/p' "sdk/include/$1" |
    awk '{ print "typedef char needs_size_" NR "[sizeof(" $0 ")];" }'
}

check_namespace() {  # CXX
  local object=$work/sizes.o names outside
  "$1" -x c++ -std=c++17 -Isdk/include -c -o "$object" - <<'SOURCE'
#include "slipway/plugin.hpp"
struct Sizes : slipway::NamedResources {
  using NamedResources::NamedResources;
  slipway::Dict<slipway::Resource> list(const slipway::Call&) override { return {{"one", {}}}; }
};
SLIPWAY_PLUGIN("org.example.sizes", "1.0", SLIPWAY_PROVIDER(Sizes, "sizes", "sizes"))
SOURCE
  names=$(nm -C --defined-only "$object")
  outside=$(grep -oE 'slipway::[a-z_0-9A-Z]+' <<<"$names" | sort -u | grep -v '^slipway::sdk_1_0$' || true)
  if [[ -n $outside ]]; then
    echo "the C++ layer defines names outside of slipway::sdk_1_0: $outside"
    failed=1
  fi
}

# Makes an object in $work, since a compiler cache keeps no check of the syntax alone.
compile() {  # COMPILER LANGUAGE STANDARD HEADER FLAGS...
  local compiler=$1 language=$2 standard=$3 header=$4
  local name=$compiler-${header//\//_}-$standard
  local source=$name.$language
  shift 4
  local command=("$compiler" -x "$language" "-std=$standard" "-I$include" -Wall -Wextra -Wpedantic -Werror "$@"
    -c "$source" -o "$name.o")
  text_of "$header" >"$work/$source"
  if ! (cd "$work" && "${command[@]}"); then
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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Relative, so that the command is the same in each run and a compiler cache can have its result.
include=$(realpath --relative-to="$work" sdk/include)
if (($# == 0)); then
  (with_compilers gcc g++ c++17; exit "$failed") &
  (with_compilers clang clang++ c++17; exit "$failed") &
  check_namespace g++
  for _ in 1 2; do wait -n || failed=1; done
fi
for compiler in "$@"; do
  echo "with $compiler"
  cxx=${compiler/#clang/clang++}
  with_compilers "$compiler" "${cxx/#gcc/g++}" c++17 c++20 c++2b
done
exit "$failed"
