# SPDX-License-Identifier: Apache-2.0
"""The page that shows the tiles of a bake: one file without dependencies, and one of data.

It is opened as a file, or served by any server of files: python3 -m http.server.
"""

from __future__ import annotations

import json
from pathlib import Path

from . import files
from .plan import Plan
from .tiles import SIDE, Tiles

_PAGE = r"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fractalray bake</title>
<style>
  :root { color-scheme: dark; }
  body { margin: 0; overflow: hidden; background: #14181c; color: #e8eaec;
         font: 14px/1.4 system-ui, sans-serif; }
  canvas { display: block; width: 100vw; height: 100vh; cursor: grab; touch-action: none; }
  canvas:active { cursor: grabbing; }
  canvas:focus-visible { outline: 2px solid #7ab8ff; outline-offset: -2px; }
  .panel { position: fixed; padding: 6px 10px; border-radius: 6px; background: #000a; }
  #bar { top: 10px; left: 10px; display: flex; gap: 8px; align-items: center; }
  #at { bottom: 10px; left: 10px; font-variant-numeric: tabular-nums; pointer-events: none; }
  .panel:empty { display: none; }
  #note { bottom: 10px; right: 10px; max-width: 50vw; overflow: hidden; white-space: nowrap;
          text-overflow: ellipsis; color: #aab; }
  button, select { font: inherit; color: inherit; background: #2a3138; border: 1px solid #4a545e;
                   border-radius: 4px; padding: 2px 9px; }
</style>
<canvas id="map" tabindex="0" aria-label="Map. Drag or use the arrow keys to move, the wheel or plus and minus to zoom."></canvas>
<div id="bar" class="panel">
  <strong id="title"></strong>
  <select id="layer" aria-label="Layer"></select>
  <button id="in" title="Closer" aria-label="Closer">+</button>
  <button id="out" title="Farther" aria-label="Farther">&minus;</button>
  <button id="all" title="Show all">all</button>
</div>
<div id="at" class="panel"></div>
<div id="note" class="panel"></div>
<script src="tiles.js"></script>
<script>
"use strict";
const bake = window.bake, side = bake.side;
const canvas = document.getElementById("map"), pen = canvas.getContext("2d");
const layer = document.getElementById("layer"), at = document.getElementById("at");
const there = bake.steps.map(step => new Set(step.map(tile => tile.join("_"))));
const box = bake.box;  // of pixels: left, top, right, bottom
const view = {x: 0, y: 0, scale: 1};  // the pixel in the middle, and its width on the screen
const images = new Map();
let waits = false;

for (const name of bake.layers) layer.add(new Option(name));
document.getElementById("title").textContent = bake.title;
document.getElementById("note").textContent = bake.note;
document.title = bake.title + " - fractalray bake";

function image(path) {
  let found = images.get(path);
  if (found) { images.delete(path); } else {
    found = new Image();
    found.onload = draw;
    found.src = path;
  }
  images.set(path, found);  // the last one used is the last one
  if (images.size > 1024) images.delete(images.keys().next().value);
  return found;
}

function draw() {
  if (!waits) requestAnimationFrame(paint);
  waits = true;
}

function paint() {
  waits = false;
  const ratio = devicePixelRatio || 1, width = innerWidth, height = innerHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const scale = view.scale * ratio;
  pen.imageSmoothingEnabled = scale < 1;
  const fine = Math.max(0, Math.min(bake.steps.length - 1, Math.floor(-Math.log2(scale) + 0.01)));
  // Coarser tiles first: they are seen until the finer ones are there.
  for (let step = bake.steps.length - 1; step >= fine; --step) {
    const wide = side * 2 ** step;  // of a tile, in pixels of step 0
    const left = view.x - width / 2 / view.scale, top = view.y - height / 2 / view.scale;
    const right = view.x + width / 2 / view.scale, bottom = view.y + height / 2 / view.scale;
    for (let i = Math.floor(left / wide); i * wide < right; ++i) {
      for (let k = Math.floor(top / wide); k * wide < bottom; ++k) {
        if (!there[step].has(i + "_" + k)) continue;
        const tile = image(`tiles/${layer.value}/${step}/${i}_${k}.png`);
        if (!tile.complete || !tile.naturalWidth) continue;
        const x0 = Math.round((i * wide - left) * scale), x1 = Math.round(((i + 1) * wide - left) * scale);
        const y0 = Math.round((k * wide - top) * scale), y1 = Math.round(((k + 1) * wide - top) * scale);
        pen.clearRect(x0, y0, x1 - x0, y1 - y0);
        pen.drawImage(tile, x0, y0, x1 - x0, y1 - y0);
      }
    }
  }
  history.replaceState(null, "", `#${Math.floor(view.x)},${-1 - Math.floor(view.y)},` +
                       `${+view.scale.toPrecision(4)},${layer.value}`);
}

function zoom(factor, x = innerWidth / 2, y = innerHeight / 2) {
  const dx = x - innerWidth / 2, dy = y - innerHeight / 2;
  const scale = Math.max(2 ** -bake.steps.length / 2, Math.min(32, view.scale * factor));
  view.x += dx / view.scale - dx / scale;
  view.y += dy / view.scale - dy / scale;
  view.scale = scale;
  draw();
}

function showAll() {
  view.x = (box[0] + box[2]) / 2;
  view.y = (box[1] + box[3]) / 2;
  view.scale = Math.min(innerWidth / (box[2] - box[0]), innerHeight / (box[3] - box[1])) * 0.92;
  draw();
}

function move(dx, dy) {
  view.x -= dx / view.scale;
  view.y -= dy / view.scale;
  draw();
}

function readAddress() {
  const [x, z, scale, name] = location.hash.slice(1).split(",");
  if (bake.layers.includes(name)) layer.value = name;
  if (!(Number(scale) > 0) || !Number.isFinite(Number(x) + Number(z))) return showAll();
  view.x = Number(x) + 0.5;
  view.y = -1 - Number(z) + 0.5;
  view.scale = Number(scale);
  draw();
}

const fingers = new Map();
canvas.onpointerdown = event => {
  fingers.set(event.pointerId, event);
  canvas.setPointerCapture(event.pointerId);
};
canvas.onpointerup = canvas.onpointercancel = event => fingers.delete(event.pointerId);
canvas.onpointermove = event => {
  const x = Math.floor(view.x + (event.clientX - innerWidth / 2) / view.scale);
  const y = Math.floor(view.y + (event.clientY - innerHeight / 2) / view.scale);
  at.textContent = `x ${x}, z ${-1 - y}`;
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const other = [...fingers.values()].find(each => each.pointerId !== event.pointerId);
  fingers.set(event.pointerId, event);
  move((event.clientX - before.clientX) / fingers.size, (event.clientY - before.clientY) / fingers.size);
  if (!other) return;
  const span = each => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY);
  zoom(span(event) / Math.max(span(before), 1), (event.clientX + other.clientX) / 2,
       (event.clientY + other.clientY) / 2);
};
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  zoom(2 ** (-event.deltaY / (event.deltaMode ? 12 : 300)), event.clientX, event.clientY);
}, {passive: false});
canvas.onkeydown = event => {
  const steps = {ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80]};
  if (steps[event.key]) move(...steps[event.key]);
  else if (event.key === "+" || event.key === "=") zoom(1.5);
  else if (event.key === "-") zoom(1 / 1.5);
};
document.getElementById("in").onclick = () => zoom(2);
document.getElementById("out").onclick = () => zoom(0.5);
document.getElementById("all").onclick = showAll;
layer.onchange = draw;
onresize = draw;
onhashchange = readAddress;
readAddress();
</script>
</html>
"""


def write_page(plan: Plan, tiles: Tiles, bake_hash: str) -> Path:
    """Writes index.html and its data. Returns the path of the page."""
    (x0, z0), (x1, z1) = plan.columns.min(axis=0).tolist(), plan.columns.max(axis=0).tolist()
    data = {
        "title": plan.job.name,
        "note": f"hash {bake_hash}",
        "side": SIDE,
        "box": [16 * x0, -16 * (z1 + 1), 16 * (x1 + 1), -16 * z0],
        "layers": tiles.layers,
        "steps": tiles.steps,
    }
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    files.write(plan.out / "tiles.js", f"window.bake = {text};\n".encode())
    page = plan.out / "index.html"
    files.write(page, _PAGE.encode())
    return page
