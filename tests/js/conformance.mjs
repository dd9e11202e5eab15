// SPDX-License-Identifier: Apache-2.0
// Compares answers with those that files expect, as the other players do. Runs in Node and in browsers;
// scenario_files.mjs finds the files.
import { parse } from "./exact_json.mjs";
import { Scenario } from "./scenario.mjs";

const TOLERANCE = 1e-9;
const TIMES = new Set(["t", "t_exit", "t0", "t1", "unknown_from", "stopped_at"]);
const GEOMETRY = new Set(["point", "normal", "distance"]);

// Plays the text of a scenario, and compares with that of its answers. Returns how many these are, and a text for each
// that differs.
export function play(fr, text, answersText) {
  const scenario = new Scenario(fr, parse(text));
  try {
    const expected = answersText.trimEnd().split("\n").map(parse), answers = scenario.answers();
    const differences = [];
    if (answers.length !== expected.length) differences.push(`${answers.length} answers instead of ${expected.length}`);
    expected.forEach((want, i) => {
      if (!agrees(want, answers[i], "", "line" in want)) differences.push(`expected ${shown(want)}, got ${shown(answers[i])}`);
    });
    return { count: expected.length, differences };
  } finally {
    scenario.free();
  }
}
const shown = (value) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));

// Returns how far a number may be off.
function off(name, isRay, expected) {
  if (name === "t_end" || (TIMES.has(name) && isRay)) return TOLERANCE * Math.abs(expected);
  if (TIMES.has(name)) return TOLERANCE;
  return GEOMETRY.has(name) ? TOLERANCE * Math.max(1, Math.abs(expected)) : 0;
}

const isNumber = (value) => typeof value === "number" || typeof value === "bigint";

// Returns true if an answer has all that is expected of it.
export function agrees(expected, actual, name, isRay) {
  if (expected?.seen !== undefined) return agreesWithShare(expected, actual);
  if (name === "error") return String(expected).split(":")[0] === String(actual).split(":")[0];
  if (isNumber(expected) && isNumber(actual)) {
    const most = off(name, isRay, Number(expected));
    return most === 0 ? expected == actual : Math.abs(Number(expected) - Number(actual)) <= most;
  }
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && expected.length === actual.length &&
      expected.every((each, i) => agrees(each, actual[i], name, isRay));
  }
  if (expected !== null && typeof expected === "object") {
    return actual !== null && typeof actual === "object" &&
      Object.entries(expected).every(([each, value]) => each in actual && agrees(value, actual[each], each, isRay));
  }
  return expected === actual;
}

// Returns true if an exposure contains the exact share, a fraction, and little more.
function agreesWithShare(expected, actual) {
  if (actual?.from === undefined) return false;
  const [seen, of] = expected.seen.map(BigInt);
  const [possible, whole] = (expected.seen_or_unknown ?? expected.seen).map(BigInt);
  const {from, to} = actual;  // multiples of 2^-30, to which 2^-20 is added without rounding
  return compare(from, seen, of) <= 0 && compare(from + 2 ** -20, seen, of) >= 0 && (seen !== of || from === 1) &&
    compare(to, possible, whole) >= 0 && compare(to - 2 ** -20, possible, whole) <= 0 && (possible !== 0n || to === 0);
}
// Returns the sign of a double minus a fraction, exactly.
function compare(double, numerator, denominator) {
  // A double has less than 1,100 binary digits after the point.
  let scaled = double, power = 0n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    power += 1n;
  }
  const difference = BigInt(scaled) * denominator - (numerator << power);
  return (difference > 0n ? 1 : difference < 0n ? -1 : 0) * (denominator > 0n ? 1 : -1);
}
