#!/usr/bin/env bash
# Makes the pictures of the guide with the programs in a folder: docs/make_figures.sh FOLDER. ./dev docs calls it.
set -euo pipefail
folder=$(readlink -f "$1")
program=$folder/fractalray
cd "$(dirname "$0")/figures"

bend=(--from 1.28125,1.15625 --to 5.578125,3.265625)
"$program" compare "${bend[@]}" --only stepping-double,exact-neither --svg guide-stepping.svg >/dev/null
"$program" compare "${bend[@]}" --only bresenham,dda-double,exact-neither --svg guide-bresenham.svg >/dev/null
"$program" compare --from 0.5,0.5 --to 3.5,3.5 --only exact-neither,exact-staircase,exact-both \
  --svg guide-corners.svg >/dev/null
"$program" compare "${bend[@]}" \
  --only stepping-double,bresenham,dda-double,traversal-double,exact-neither,exact-both --svg compare.svg >/dev/null
"$program" walk --from 0.5,0.5,0.5 --to 6.5,4.5,2.5 --svg walk.svg >/dev/null
"$program" explain --scenario shot.json --svg shot.svg >/dev/null
# The box is hidden: the answer "no" is exit status 1.
"$program" visible --scenario sight.json --query hidden --svg sight-hidden.svg >/dev/null || [ $? -eq 1 ]
"$program" demo --out . >/dev/null
"$program" render --world ../../examples/worlds/w1 --out stairs.png --camera=-183,88.5,-50 --look-at=-190,84,-41 \
  --size 640x360 >/dev/null
"$folder/example_dive" --out . >/dev/null
python3 ../../tools/scripts/draw_entity_chunks.py >entity-chunks.svg
python3 ../../tools/scripts/draw_window.py >window.svg
python3 ../../tools/scripts/draw_streaming.py >streaming.svg
python3 ../../tools/scripts/draw_block_order.py >block-order.svg
python3 ../../tools/scripts/draw_trees.py >trees.svg
python3 ../../tools/scripts/draw_field_of_view.py >field-of-view2d.svg
python3 ../../tools/scripts/draw_shapes.py >shapes.svg
python3 ../../tools/scripts/draw_scale.py >scale.svg
