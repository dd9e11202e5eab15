// SPDX-License-Identifier: Apache-2.0
// Flying and aiming by keyboard, mouse and touch. Knows nothing of shots: it calls act(x, y) for a click or a tap, x and y
// from -1 to 1 in the picture.

const SPEED = 18;         // nodes a second
const TURN = 1.6;         // radians a second, by the arrow keys
const DRAG = 0.0042;      // radians a pixel
const STILL = 5;          // pixels that a click may move
const STEEPEST = 1.55;

const KEYS = {
  KeyW: ["forward", 1], KeyS: ["forward", -1], KeyD: ["right", 1], KeyA: ["right", -1], Space: ["up", 1], KeyE: ["up", 1],
  ShiftLeft: ["up", -1], ShiftRight: ["up", -1], KeyQ: ["up", -1],
  ArrowLeft: ["yaw", 1], ArrowRight: ["yaw", -1], ArrowUp: ["pitch", 1], ArrowDown: ["pitch", -1],
};
// Returns true if a key belongs to the element that has the focus, or to an open dialog.
function isTaken({ target, code, ctrlKey, altKey, metaKey }) {
  const tag = target?.tagName ?? "";
  if (ctrlKey || altKey || metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(tag) || document.querySelector("dialog[open]")) return true;
  return /^(BUTTON|SUMMARY|A)$/.test(tag) && /^(Enter|Space)$/.test(code);
}

// Returns true for a press of another button of a mouse than the main one: a menu may take its release.
function isOtherButton({ pointerType, button }) {
  return pointerType === "mouse" && button !== 0;
}
// Returns true for a move of a mouse whose main button is up.
function isReleased({ pointerType, buttons }) {
  return pointerType === "mouse" && (buttons & 1) === 0;
}

// Returns a camera, [x, y, z, yaw, pitch], after a move: forward and right are level, in nodes; yaw and pitch in radians.
export function moved([x, y, z, yaw, pitch], { forward = 0, right = 0, up = 0, turn = 0, tilt = 0 }) {
  const sin = Math.sin(yaw), cos = Math.cos(yaw);
  return [
    x - sin * forward + cos * right, y + up, z - cos * forward - sin * right,
    yaw + turn, Math.max(-STEEPEST, Math.min(STEEPEST, pitch + tilt)),
  ];
}

export class Controls {
  // view: a View. stick: an element with which a thumb flies. act(x, y), command(key): what clicks and other keys do.
  constructor(view, stick, act, command) {
    this.view = view;
    this.act = act;
    this.keys = new Set();
    this.pointers = new Map();
    this.stickMove = [0, 0];
    this.#listenToPointers(view.canvas);
    this.#listenToStick(stick);
    addEventListener("keydown", (event) => {
      if (isTaken(event)) return;
      if (KEYS[event.code] !== undefined) {
        this.keys.add(event.code);
        event.preventDefault();
      } else command(event);
    });
    addEventListener("keyup", (event) => {
      // macOS does not say which keys are released while Cmd is held.
      if (event.key === "Meta") this.keys.clear();
      else this.keys.delete(event.code);
    });
    addEventListener("blur", () => this.keys.clear());
  }
  // Moves the camera by the time since the last frame. Returns true while anything is held.
  step(seconds) {
    const held = { forward: 0, right: 0, up: 0, yaw: 0, pitch: 0 };
    for (const code of this.keys) held[KEYS[code][0]] += KEYS[code][1];
    held.forward += this.stickMove[1];
    held.right += this.stickMove[0];
    if (Object.values(held).every((part) => part === 0)) return false;
    const way = SPEED * seconds;
    this.#move({
      forward: held.forward * way, right: held.right * way, up: held.up * way,
      turn: held.yaw * TURN * seconds, tilt: held.pitch * TURN * seconds,
    });
    return true;
  }
  #move(by) {
    this.view.setCamera(moved(this.view.getCamera(), by));
  }

  #listenToPointers(canvas) {
    canvas.addEventListener("pointerdown", (event) => {
      if (isOtherButton(event)) return;
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, path: 0, isAlone: this.pointers.size === 0 });
    });
    canvas.addEventListener("pointermove", (event) => this.#drag(event));
    const end = (event, isClick) => {
      const pointer = this.pointers.get(event.pointerId);
      this.pointers.delete(event.pointerId);
      if (!isClick || pointer === undefined || !pointer.isAlone || pointer.path > STILL) return;
      const box = canvas.getBoundingClientRect();
      this.act(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    };
    canvas.addEventListener("pointerup", (event) => end(event, event.button === 0));
    canvas.addEventListener("pointercancel", (event) => end(event, false));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#move({ forward: -event.deltaY * 0.02 });
    }, { passive: false });
  }
  // One pointer looks around; two move: together sideways and up, apart forward.
  #drag(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (pointer === undefined) return;
    if (isReleased(event)) {
      this.pointers.delete(event.pointerId);
      this.view.canvas.releasePointerCapture(event.pointerId);
      return;
    }
    const dx = event.clientX - pointer.x, dy = event.clientY - pointer.y;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const before = other ? Math.hypot(pointer.x - other.x, pointer.y - other.y) : 0;
    Object.assign(pointer, { x: event.clientX, y: event.clientY, path: pointer.path + Math.abs(dx) + Math.abs(dy) });
    if (other) {
      pointer.isAlone = other.isAlone = false;
      const spread = Math.hypot(pointer.x - other.x, pointer.y - other.y) - before;
      this.#move({ forward: spread * 0.06, right: -dx * 0.02, up: dy * 0.02 });
    } else if (pointer.path > STILL) {
      this.#move({ turn: dx * DRAG, tilt: dy * DRAG });
    }
  }
  #listenToStick(stick) {
    const set = (event) => {
      const box = stick.getBoundingClientRect(), half = box.width / 2;
      const move = [(event.clientX - box.left - half) / half, (box.top + half - event.clientY) / half]
        .map((part) => Math.max(-1, Math.min(1, part)));
      this.stickMove = move;
      stick.style.setProperty("--x", move[0]);
      stick.style.setProperty("--y", -move[1]);
    };
    const release = () => {
      this.stickMove = [0, 0];
      stick.style.setProperty("--x", 0);
      stick.style.setProperty("--y", 0);
    };
    stick.addEventListener("pointerdown", (event) => {
      if (isOtherButton(event)) return;
      stick.setPointerCapture(event.pointerId);
      set(event);
    });
    stick.addEventListener("pointermove", (event) => {
      if (!stick.hasPointerCapture(event.pointerId)) return;
      if (!isReleased(event)) {
        set(event);
        return;
      }
      stick.releasePointerCapture(event.pointerId);
      release();
    });
    for (const name of ["pointerup", "pointercancel"]) stick.addEventListener(name, release);
  }
}
