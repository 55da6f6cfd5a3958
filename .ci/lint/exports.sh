#!/usr/bin/env bash
# Checks that each plug-in exports only slipway_plugin_v1. Other symbols can clash with the host or another plug-in.
# Usage: exports.sh TREE   (a build tree or an install prefix)
set -euo pipefail

failed=0
count=0
for library in "$1"/lib/slipway/*.so; do
  [[ -e $library ]] || continue
  count=$((count + 1))
  # A version script with a named node shows as `name@@NODE` and as one absolute symbol for the node itself.
  exported=$(nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u)
  if [[ $exported != slipway_plugin_v1 ]]; then
    echo "$library: must export slipway_plugin_v1 and nothing else, but exports: ${exported//$'\n'/ }"
    failed=1
  fi
done
if ((count == 0)); then
  echo "$1/lib/slipway: no plug-in found; is the tree built?"
  failed=1
fi
exit "$failed"
