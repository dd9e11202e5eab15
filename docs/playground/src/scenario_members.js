// SPDX-License-Identifier: Apache-2.0
// Members of options and rules by their names in scenario files, for this page and for tests/js.

// Returns the plain members of an object of a file: maxHits for max_hits, and noBlocks for "blocks": false. kinds: those of
// layout.PLAIN.
export function plainOf(kinds, given) {
  const made = {};
  for (const name of Object.keys(kinds)) {
    const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), positive = written.replace(/^no_/, "");
    if (positive !== written && positive in given) made[name] = !given[positive];
    else if (written in given) made[name] = given[written];
  }
  return made;
}
