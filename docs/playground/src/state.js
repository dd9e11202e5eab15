// SPDX-License-Identifier: Apache-2.0
// The state of the page, one plain object, and its form in the URL, so that a link shows the same shot.

export const CHANNELS = ["default", "visible", "physical", "pierce"];
export const CORNERS = ["both", "neither", "staircase"];
export const CATEGORIES = { players: 1, creatures: 2, crates: 4 };
export const MAX_BOUNCES = 16, MAX_STRENGTH = 40, MAX_EDITS = 400;
// Offsets are 0, or 2^4 to 2^40 nodes: chunks of level 1 are 2^4 nodes wide, and the frame of the library ends at
// 2^45 / 16 nodes.
export const MIN_OFFSET = 4, MAX_OFFSET = 40;

export function initialState() {
  return {
    ray: null,                 // of the shot: {base, low, d}, see ray.js
    camera: null,              // [x, y, z, yaw, pitch]; null for the first view
    offset: 0,                 // the power of two by which the world is moved on each axis; 0 for not at all
    levels: [0, 1, 2],
    corner: "both",
    channel: "default",
    categories: 7,
    strength: 0,               // of a piercing shot; 0 for a shot that stops at the first solid block
    bounces: 0,
    skipStart: false,
    sight: null,               // [eye, target], ids of players; eye 0 is the camera
    edits: [],                 // [level, x, y, z, type name] each, in order
    tool: "shoot",             // or "dig", "build"
    material: "default:stonebrick",
    cells: true,               // draws the cells on the line
    side: true,                // shows the view from the side
  };
}

export const offsetOf = ({ offset }) => (offset === 0 ? 0 : 2 ** offset);

// Returns the number that a text says; NaN for an empty one, which Number() takes for 0.
const numberOf = (text) => (text.trim() === "" ? NaN : Number(text));
const integers = (text, count) => {
  const list = text.split(",").map(numberOf);
  return list.length === count && list.every(Number.isSafeInteger) ? list : null;
};
const inRange = (low, high) => (text) => {
  const value = numberOf(text);
  return Number.isInteger(value) && value >= low && value <= high ? value : null;
};
const oneOf = (list) => (text) => (list.includes(text) ? text : null);

// How each member is written and read. A reader returns null for text that cannot be.
const FIELDS = {
  ray: ["shot", ({ base, low, d }) => [...base, ...low, ...d].join(), (text) => {
    const list = integers(text, 9);
    if (list === null || list.slice(3, 6).some((low) => low < 0 || low > 65535 || low % 16 !== 0)) return null;
    const d = list.slice(6);
    if (d.every((part) => part === 0) || d.some((part) => Math.abs(part) > 524287)) return null;
    if (list.slice(0, 3).some((part) => Math.abs(part) > 1e6)) return null;
    return { base: list.slice(0, 3), low: list.slice(3, 6), d };
  }],
  camera: ["eye", (camera) => camera.map((part) => Math.round(part * 1000) / 1000).join(), (text) => {
    const list = text.split(",").map(numberOf);
    return list.length === 5 && list.every((part) => Math.abs(part) < 1e6) ? list : null;
  }],
  offset: ["offset", String, (text) => (text === "0" ? 0 : inRange(MIN_OFFSET, MAX_OFFSET)(text))],
  levels: ["levels", (levels) => levels.join(), (text) => {
    const list = text.split(",").map(inRange(0, 2));  // the levels of the page's world
    return list.includes(null) || new Set(list).size !== list.length ? null : list.sort();
  }],
  corner: ["corner", String, oneOf(CORNERS)],
  channel: ["channel", String, oneOf(CHANNELS)],
  categories: ["entities", String, inRange(0, 7)],
  strength: ["pierce", String, inRange(0, MAX_STRENGTH)],
  bounces: ["bounces", String, inRange(0, MAX_BOUNCES)],
  skipStart: ["skip", (skip) => (skip ? "1" : "0"), (text) => (text === "1" ? true : text === "0" ? false : null)],
  sight: ["sight", (sight) => sight.join(), (text) => {
    const list = integers(text, 2);
    return list !== null && list.every((id) => id >= 0 && id < 1000) ? list : null;
  }],
  edits: ["edits", (edits) => edits.map((edit) => edit.join()).join(";"), readEdits],
};

function readEdits(text) {
  const edits = text.split(";").slice(0, MAX_EDITS).map((each) => {
    const parts = each.split(","), at = parts.slice(0, 4).map(numberOf), name = parts[4];
    return at.every(Number.isSafeInteger) && at[0] >= 0 && at[0] <= 2 && name ? [...at, name] : null;
  });
  return edits.includes(null) ? null : edits;
}

// Returns the text after # for a state: only what differs from the first state.
export function toHash(state) {
  const first = initialState(), parts = [];
  for (const [member, [name, write]] of Object.entries(FIELDS)) {
    const value = state[member];
    if (value === null || JSON.stringify(value) === JSON.stringify(first[member])) continue;
    parts.push(`${name}=${encodeURIComponent(write(value)).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3B", ";")}`);
  }
  return parts.join("&");
}

// Returns a state as it was written by toHash(). Leaves out members that it does not understand.
export function fromHash(hash) {
  const state = initialState(), given = new Map();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name, value] = part.split("=");
    if (value === undefined) continue;
    try {
      given.set(name, decodeURIComponent(value));
    } catch { /* a damaged link */ }
  }
  for (const [member, [name, , read]] of Object.entries(FIELDS)) {
    const value = given.has(name) ? read(given.get(name)) : null;
    if (value !== null) state[member] = value;
  }
  return state;
}
