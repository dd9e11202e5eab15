#!/usr/bin/env bash
# Includes run one way between the rooms: each may name itself and the rooms listed for it. Tests,
# benchmarks and examples may use any room but apps/, which only its own tests may.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A allowed=(
  [core]='core'
  [levels]='core|levels'
  [entities]='core|entities'
  [query]='core|levels|entities|query'
  [threads]='core|threads'
  [formats]='core|levels|entities|query|formats'
  [lines]='core|lines'
  [apps]='core|levels|entities|query|threads|formats|lines|apps'
)
includes() { grep -rnE --include='*.h' --include='*.cc' "^ *# *include +$1" "${@:2}" || true; }

found=$(
  for room in "${!allowed[@]}"; do
    includes '["<]fractalray/' "$room" | grep -vE "fractalray/(${allowed[$room]})/" || true
  done
  includes '["<]fractalray/apps/' tests bench examples | grep -v '^tests/apps/' || true
  # A path without a folder would be looked up beside the file, and not be found once installed.
  includes '"[^/]*"' "${!allowed[@]}" tests bench examples
)
# Sources include their own header first, which shows that the header includes what it needs.
not_first=$(
  for room in "${!allowed[@]}"; do
    for source in "$room"/*.cc; do
      header=${source%.cc}.h
      [[ ! -e $header || $(grep -m1 '^#include' "$source") == "#include \"fractalray/$header\"" ]] ||
        echo "$source"
    done
  done
)
if [[ -n $not_first ]]; then
  printf 'Sources that do not include their own header first:\n%s\n' "$not_first" >&2
  exit 1
fi
if [[ -n $found ]]; then
  printf 'Includes against the order of the rooms (core <- levels, entities <- query <- formats <- apps;\ncore <- lines <- apps; core <- threads <- apps),\n' >&2
  printf 'or not written as "fractalray/room/file.h":\n%s\n' "$found" >&2
  exit 1
fi
