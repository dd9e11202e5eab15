// SPDX-License-Identifier: Apache-2.0
// The order of the hits of one line, also of hits in several worlds: parts of one.

import * as layout from "./layout.js";
import { choice, integer } from "./arguments.js";
import { Corner } from "./enums.js";
import { Hit, hitAt, Hits, hitsAt, hitsOf } from "./hits.js";
import { memory, module } from "./module.js";
import { filled, refuseUsed } from "./owned.js";
import { lineAt } from "./queries.js";
import { Shot } from "./shots.js";

const levelCount = (levels) => integer(levels, "levels", 1, layout.MAX_LEVELS);

// Compares two hits of one line: negative if shots report `a` first, positive if `b`, 0 for the same block, or for
// entities of one id and level that are hit at one time. levels: how many the worlds have. Makes no garbage.
export function compareHits(line, a, b, levels = 1, corner = Corner.BOTH) {
  const of = lineAt(line), first = hitAt(a, Hit, "hit a"), second = hitAt(b, Hit, "hit b");
  const count = levelCount(levels), policy = choice(corner, Corner, "corner");
  const mark = memory.enter(), out = memory.push(8);
  const result = module.c.frCompareHits(of, count, policy, first, second, out), order = memory.i32[out >>> 2];
  memory.leave(mark);
  module.check(result);
  return order;
}

// Merges the hits of one line in several worlds, one Hits for each world, to those of a shot in the whole world.
// Returns `hits`, or new ones; `hits` may be one of the lists.
export function mergeHits(line, lists, levels = 1, corner = Corner.BOTH, hits = undefined) {
  if (hits === undefined) return filled(new Hits(1), (made) => mergeHits(line, lists, levels, corner, made));
  const of = lineAt(line), given = hitsOf(lists, "lists"), size = layout.Hit.size * given.count;
  const count = levelCount(levels), policy = choice(corner, Corner, "corner");
  hitsAt(hits);
  refuseUsed(hits);
  const at = memory.allocate(size + 8 * given.lengths.length), ends = at + size, mark = memory.enter();
  try {
    given.write(at);
    let end = 0;
    given.lengths.forEach((length, i) => memory.writeI64(ends + 8 * i, (end += length)));
    hits.reserve(end);
    const out = memory.pushZeros(8);
    module.check(module.c.frMergeHits(of, count, policy, at, ends, given.lengths.length, hits.begin, end, out));
    hits._hold(memory.u32[out >>> 2]);
    if (hits instanceof Shot) hits._setLine(of);
    return hits;
  } finally {
    memory.free(at);
    memory.leave(mark);
  }
}
