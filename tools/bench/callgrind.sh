#!/usr/bin/env bash
# Instructions a shot or a moved entity, by valgrind's callgrind: they repeat exactly where times do
# not. The first argument is fractalray_bench, the others go to it (--count, --scene, --system ...).
set -euo pipefail

bench=$1
shift
[[ " $* " == *" --scene"* ]] || set -- --scene terrain,sparse,caves,empty,luanti,slabs,village "$@"
[[ " $* " == *" --rays"* ]] || set -- --rays random,reach-6,reach-40,explosion,corners,tiles "$@"
[[ " $* " == *" --work"* ]] || set -- --work first_hit,convert,hit_groups,sight_groups "$@"
[[ " $* " == *" --system"* ]] || set -- --system fractalray,fractalray-segment,fractalray-ray,fractalray-plain,fractalray-cubes "$@"
[[ " $* " == *" --count"* ]] || set -- --count 2000 "$@"

counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT
# Counts only the shots, not the making of scenes: the program marks them
# (tools/bench/instruction_count.h).
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$counts/out" \
  "$bench" --instructions "$@" >"$counts/log" 2>&1 || { cat "$counts/log" >&2; exit 1; }

printf '%-26s %-9s %-12s %-18s %13s\n' scene rays work system instructions
find "$counts" -name 'out.*' | sort -V | while read -r file; do
  # desc: Trigger: Client Request: terrain random first_hit fractalray 2000
  awk '/^desc: Trigger: Client Request:/ { scene = $5; rays = $6; work = $7; who = $8; shots = $9 }
       /^(summary|totals):/ { total = $2 }
       END {
         if (shots) printf "%-26s %-9s %-12s %-18s %13.0f\n", scene, rays, work, who, total / shots
       }' "$file"
done
