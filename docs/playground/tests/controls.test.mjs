// SPDX-License-Identifier: Apache-2.0
// Controls with elements that have what they need alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Controls } from "../src/controls.js";

class Element extends EventTarget {
  #captured = new Set();
  style = { setProperty() {} };
  setPointerCapture(id) {
    this.#captured.add(id);
  }
  hasPointerCapture(id) {
    return this.#captured.has(id);
  }
  releasePointerCapture(id) {
    this.#captured.delete(id);
  }
  getBoundingClientRect() {
    return { left: 0, top: 0, width: 100, height: 100 };
  }
  // Sends an event with these members.
  send(type, members) {
    this.dispatchEvent(Object.assign(new Event(type), members));
  }
}

const page = new Element();
globalThis.addEventListener = page.addEventListener.bind(page);
globalThis.document = { querySelector: () => null };

// Returns controls with the camera's position, and the clicks so far.
function made() {
  const canvas = new Element(), stick = new Element(), clicks = [];
  let camera = [0, 0, 0, 0, 0];
  const view = { canvas, getCamera: () => camera, setCamera: (next) => { camera = next; } };
  const controls = new Controls(view, stick, (x, y) => clicks.push([x, y]), () => {});
  return { canvas, stick, clicks, controls, camera: () => camera };
}
const mouse = (x, button, buttons) => ({ pointerId: 1, pointerType: "mouse", clientX: x, clientY: 50, button, buttons });
const finger = (x, pointerId = 2) => ({ pointerId, pointerType: "touch", clientX: x, clientY: 50, button: 0, buttons: 1 });

test("The main button of a mouse clicks and looks around, and so does a finger", () => {
  for (const pointer of [(x) => mouse(x, 0, 1), finger]) {
    const { canvas, clicks, camera } = made();
    canvas.send("pointerdown", pointer(50));
    canvas.send("pointerup", pointer(50));
    assert.deepEqual(clicks, [[0, 0]]);
    canvas.send("pointerdown", pointer(50));
    canvas.send("pointermove", pointer(90));
    canvas.send("pointerup", pointer(90));
    assert.ok(camera()[3] > 0);
    assert.equal(clicks.length, 1);
  }
});

test("A mouse whose release is lost to a menu does not look around", () => {
  const { canvas, camera, clicks } = made(), start = camera();
  canvas.send("pointerdown", mouse(50, 2, 2));
  canvas.send("pointermove", mouse(90, -1, 2));
  canvas.send("pointermove", mouse(20, -1, 0));
  assert.equal(camera(), start);
  // A press of the main button whose release never comes: as of control and click on macOS.
  canvas.send("pointerdown", mouse(50, 0, 1));
  canvas.send("pointermove", mouse(90, -1, 0));
  canvas.send("pointermove", mouse(20, -1, 0));
  assert.equal(camera(), start);
  assert.equal(canvas.hasPointerCapture(1), false);
  // It is not the second of two pointers, either.
  canvas.send("pointerdown", finger(50));
  canvas.send("pointerup", finger(50));
  assert.equal(clicks.length, 1);
});

test("The stick flies as long as it is held", () => {
  const { stick, controls } = made();
  stick.send("pointerdown", mouse(100, 2, 2));
  assert.equal(controls.step(0.1), false);
  stick.send("pointerdown", mouse(100, 0, 1));
  assert.equal(controls.step(0.1), true);
  stick.send("pointermove", mouse(75, -1, 1));
  assert.deepEqual(controls.stickMove, [0.5, 0]);
  stick.send("pointermove", mouse(75, -1, 0));
  assert.equal(controls.step(0.1), false);
  assert.equal(stick.hasPointerCapture(1), false);
  stick.send("pointerdown", finger(100));
  stick.send("pointerup", finger(100));
  assert.equal(controls.step(0.1), false);
});

test("Keys that are released while Cmd is held do not stay", () => {
  const { controls } = made(), key = (code, name, metaKey = false) => ({ code, key: name, metaKey });
  page.send("keydown", key("KeyW", "w"));
  page.send("keydown", key("KeyD", "d"));
  assert.equal(controls.step(0.1), true);
  page.send("keyup", key("KeyD", "d"));
  assert.deepEqual([...controls.keys], ["KeyW"]);
  page.send("keydown", key("MetaLeft", "Meta", true));
  page.send("keyup", key("MetaLeft", "Meta"));
  assert.equal(controls.step(0.1), false);
});
