// SPDX-License-Identifier: Apache-2.0
// What is drawn of a shot: the line with its bounces, the part that is clipped, cells, numbers of hits, lines of sight.

import * as THREE from "three";

// More numbers than this are not drawn; the table has all.
const MOST_BADGES = 24;
const MOST_CELLS = 400;
export const COLORS = {
  entity: "#6a3d9a", levels: ["#8a5a12", "#b3261e", "#0b6e8a"], line: 0xffd23f, clipped: 0x6f7780, crossed: 0x1d4ed8,
  wrong: 0xff2200, added: 0xff9900, seen: 0x1fa34a, hidden: 0xd1495b,
};

export class Overlay {
  constructor(scene) {
    this.group = new THREE.Group();
    this.sight = new THREE.Group();
    this.names = new THREE.Group();
    this.badges = new Map();
    scene.add(this.group, this.sight, this.names);
  }
  // Writes the names of entities above them.
  addNames(entities) {
    for (const { name, position: [x, y, z], halfExtents } of entities) {
      const sprite = new THREE.Sprite(nameMaterial(name));
      sprite.position.set(x, y + halfExtents[1] + 0.3, z);
      sprite.scale.set(1.6, 0.4, 1);
      sprite.userData.hasSize = true;
      this.names.add(sprite);
    }
  }
  // shot: the answer of shootAll(). other: that of compareLoops(), or null. wrong: which loop's errors to draw, or null.
  showShot(shot, other = null, { cells, wrong } = {}) {
    this.#clear(this.group);
    if (shot === null) return;
    shot.legs.forEach((leg, i) => {
      // From the eye the line is a dot: its first part, and its first cells, are left out.
      const from = i === 0 ? leg.from.map((part, axis) => part + leg.unit[axis] * Math.min(2.5, leg.endDistance / 2)) : leg.from;
      this.#line(from, leg.to, COLORS.line, 0.03);
    });
    const last = shot.legs.at(-1);
    if (last.how !== "reach") this.#line(last.to, last.reachEnd, COLORS.clipped, 0.015);
    if (cells && other !== null) this.#cells(other.cells.slice(3, MOST_CELLS), 1, COLORS.crossed, 0.6);
    const loop = other?.loops.find(({ id }) => id === wrong);
    if (loop) {
      this.#cells(loop.missed.slice(0, MOST_CELLS), 1, COLORS.wrong, 1, 0.3);
      this.#cells(loop.added.slice(0, MOST_CELLS), 1, COLORS.added, 1, 0.3);
    }
    for (const [width, hits] of groupByWidth(shot.hits.filter(({ block }) => block !== null))) {
      this.#cells(hits.map(({ block }) => block.map((part) => part * width)), width, 0xffffff, 1, 0.16);
    }
    shot.hits.slice(0, MOST_BADGES).forEach((hit, i) => this.#badge(hit.point, String(i + 1), colorOf(hit)));
  }
  // Draws a line of sight, or the boxes that hide a player.
  showSight(answer) {
    this.#clear(this.sight);
    if (answer === null) return;
    if (answer.line !== null) this.#line(...answer.line, COLORS.seen, 0.02, this.sight);
    for (const [min, max] of answer.boxes) this.#box(min, max, COLORS.hidden);
    if (answer.box) this.#box(...answer.box, answer.sight === "visible" ? COLORS.seen : COLORS.hidden);
  }

  #clear(group) {
    for (const child of [...group.children]) {
      group.remove(child);
      if (child.isSprite) continue;  // its material is kept for the next shot
      child.geometry.dispose();
      child.material.dispose();
    }
  }
  #line(from, to, color, radius, group = this.group) {
    const a = new THREE.Vector3(...from), b = new THREE.Vector3(...to), length = a.distanceTo(b);
    if (length < 1e-6) return;
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 6), new THREE.MeshBasicMaterial({ color, fog: false }));
    mesh.position.copy(a).add(b).multiplyScalar(0.5);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), b.sub(a).normalize());
    mesh.userData.radius = radius;
    group.add(mesh);
  }
  // cells: their low corners, in nodes.
  #cells(cells, width, color, opacity, filled = 0) {
    if (cells.length === 0) return;
    const positions = new Float32Array(cells.length * EDGES.length), size = width * (filled > 0 ? 1.01 : 0.985);
    cells.forEach((cell, k) => {
      for (let i = 0; i < EDGES.length; ++i) positions[k * EDGES.length + i] = cell[i % 3] + width / 2 + EDGES[i] * size;
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    this.group.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color, transparent: true, opacity, fog: false })));
    if (filled === 0) return;
    const boxes = new THREE.InstancedMesh(new THREE.BoxGeometry(width * 1.008, width * 1.008, width * 1.008),
      new THREE.MeshBasicMaterial({ color, transparent: true, opacity: filled, depthWrite: false, fog: false }), cells.length);
    const matrix = new THREE.Matrix4();
    cells.forEach((cell, i) => boxes.setMatrixAt(i, matrix.makeTranslation(...cell.map((part) => part + width / 2))));
    this.group.add(boxes);
  }
  #box(min, max, color) {
    const size = max.map((part, i) => part - min[i] + 0.02), center = max.map((part, i) => (part + min[i]) / 2);
    const box = new THREE.BoxGeometry(...size), edges = new THREE.EdgesGeometry(box);
    box.dispose();
    const lines = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color, fog: false }));
    lines.position.set(...center);
    this.sight.add(lines);
  }
  #badge(at, text, color) {
    const key = color + text;
    if (!this.badges.has(key)) this.badges.set(key, badgeMaterial(text, color));
    const sprite = new THREE.Sprite(this.badges.get(key));
    sprite.position.set(...at);
    sprite.scale.setScalar(0.055);
    sprite.renderOrder = 10;
    this.group.add(sprite);
  }
}

const EDGES = new THREE.EdgesGeometry(new THREE.BoxGeometry(1, 1, 1)).attributes.position.array;
export const colorOf = (hit) => (hit.kind === "entity" ? COLORS.entity : COLORS.levels[hit.level]);

function groupByWidth(hits) {
  const groups = new Map();
  for (const hit of hits) groups.set(hit.width, [...(groups.get(hit.width) ?? []), hit]);
  return groups;
}

// Returns a canvas of a size, and its context, with text in the middle of what is written.
function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  return [canvas, pen];
}
function textureOf(canvas) {
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  return map;
}

function nameMaterial(name) {
  const [canvas, pen] = canvasOf(256, 64);
  pen.font = "bold 40px system-ui, sans-serif";
  pen.lineWidth = 8;
  pen.strokeStyle = "rgba(0, 0, 0, 0.75)";
  pen.strokeText(name, 128, 34);
  pen.fillStyle = "#fff";
  pen.fillText(name, 128, 34);
  return new THREE.SpriteMaterial({ map: textureOf(canvas), depthWrite: false, toneMapped: false });
}

function badgeMaterial(text, color) {
  const [canvas, pen] = canvasOf(64, 64);
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(32, 32, 28, 0, 7);
  pen.fill();
  pen.lineWidth = 5;
  pen.strokeStyle = pen.fillStyle = "#fff";
  pen.stroke();
  pen.font = "bold 34px system-ui, sans-serif";
  pen.fillText(text, 32, 34);
  return new THREE.SpriteMaterial({ map: textureOf(canvas), depthTest: false, fog: false, sizeAttenuation: false, toneMapped: false });
}
