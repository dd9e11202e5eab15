// SPDX-License-Identifier: Apache-2.0
// Reads JSON whose integers may have 64 bits: those beyond 2^53 are BigInts. JSON.parse() would round them.

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

export function parse(text) {
  TOKEN.lastIndex = 0;
  const next = () => {
    const match = TOKEN.exec(text);
    if (match === null) throw new SyntaxError("the text is no JSON");
    return match;
  };
  const value = ([, sign, string, number, word] = next()) => {
    if (string !== undefined) return JSON.parse(string);
    if (word !== undefined) return JSON.parse(word);
    if (number !== undefined) return numberOf(number);
    return sign === "{" ? object() : array();
  };
  const object = () => {
    const made = {};
    for (let token = next(); token[1] !== "}"; token = next()) {
      if (token[1] === ",") token = next();
      next();  // the colon
      made[JSON.parse(token[2])] = value();
    }
    return made;
  };
  const array = () => {
    const made = [];
    for (let token = next(); token[1] !== "]"; token = next()) made.push(value(token[1] === "," ? next() : token));
    return made;
  };
  return value();
}

function numberOf(text) {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
