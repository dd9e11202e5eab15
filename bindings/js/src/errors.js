// SPDX-License-Identifier: Apache-2.0
// The error of everything that the library refuses, and the texts of errors about arguments.

export class FractalrayError extends Error {
  // code: the name of the result in the C interface, such as "OUT_OF_RANGE".
  // shot: after a shot that has begun, such as one that ran out of steps, the Shot with the hits so far.
  constructor(code, message, shot = undefined) {
    super(message);
    this.name = "FractalrayError";
    this.code = code;
    this.shot = shot;
  }
}

// Returns a value as the text of an error shows it.
export function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? value.slice(0, 60) + "..." : value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value) + (typeof value === "bigint" ? "n" : "");
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return `a ${value.constructor?.name ?? "object"}`;
}

// Throws for an argument of a wrong type.
export function refuseType(value, name, remedy) {
  throw new TypeError(`${name} is ${shown(value)}; ${remedy}`);
}

// Throws for an argument of the right type whose value cannot be.
export function refuse(value, name, remedy, code = "INVALID_ARGUMENT") {
  throw new FractalrayError(code, `${name} is ${shown(value)}; ${remedy}`);
}

// Throws for what no world could take. `message` names the wrong value, and says what to give.
export function invalid(message) {
  throw new FractalrayError("INVALID_ARGUMENT", message);
}
