// SPDX-License-Identifier: Apache-2.0
// The options of attach(), and those of one query in place of them.

import { eyeHeightOf } from "./rays.js";
import { SHAPES } from "./shapes.js";

const DEFAULTS = {
  shapes: "collision", unloaded: "air", shapeOf: undefined, typePerState: false, eyeHeight: eyeHeightOf, entities: undefined,
};
const CHOICES = { shapes: SHAPES, unloaded: ["air", "stop"] };

function check(given, names, what) {
  if (typeof given !== "object" || given === null) throw new TypeError(`${what} must be an object`);
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(names, name)) throw new TypeError(`${what}: there is no ${name}; there are ${Object.keys(names).join(", ")}`);
    if (Object.hasOwn(CHOICES, name) && given[name] !== undefined && !CHOICES[name].includes(given[name])) {
      throw new TypeError(`${what}: ${name} is ${String(given[name])}; it must be one of ${CHOICES[name].join(", ")}`);
    }
  }
}

// Returns the settings of attach(), checked.
export function attachSettings(given = {}) {
  check(given, DEFAULTS, "attach: the options");
  for (const name of ["shapeOf", "eyeHeight"]) {
    if (given[name] !== undefined && typeof given[name] !== "function") {
      throw new TypeError(`attach: ${name} must be a function`);
    }
  }
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(named) };
}

// Returns the settings of one query: `shapes` and `unloaded` of its options, or those of attach().
export function settingsOf(settings, given, names) {
  if (given === undefined || given === null) return settings;
  check(given, names, "the options");
  return { shapes: given.shapes ?? settings.shapes, unloaded: given.unloaded ?? settings.unloaded };
}
