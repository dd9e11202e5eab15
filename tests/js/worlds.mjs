// SPDX-License-Identifier: Apache-2.0
// Worlds that several tests use.

// Returns a world of one level: a floor of stone at y = 0, a wall of glass at x = 4, a wall of stone at x = 10, in the
// chunk (0, 0, 0).
export function makeWalls(fr) {
  const world = new fr.World(), stone = world.blockTypes.add("stone"), glass = world.blockTypes.add("glass", fr.Kind.PERMEABLE);
  world.loadChunk(0, [0, 0, 0]);
  world.fillBox(0, [0, 0, 0], [15, 0, 15], stone);
  world.fillBox(0, [4, 1, 0], [4, 15, 15], glass);
  world.fillBox(0, [10, 1, 0], [10, 15, 15], stone);
  return { world, stone, glass };
}
// A line through both walls.
export const THROUGH = [1.5, 5.5, 5.5, 14.5, 5.5, 5.5];
export const lineThrough = (fr) => fr.Line.segment(THROUGH.slice(0, 3), THROUGH.slice(3));
