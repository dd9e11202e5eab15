// SPDX-License-Identifier: Apache-2.0
// Reads a scenario file (docs/scenario-format.md) as far as the page shows it: its world and its shots. The program
// `fractalray scenario` is the judge of files; this reader refuses what it would load wrongly.

// With 4,096 names of blocks each, of 8 bytes, 64 MB.
const MOST_CHUNKS = 2000;
// Queries that edit the world for those after them. This page has the world of the file alone.
const EDITS = new Set(["descend", "climb", "recenter", "load", "add"]);
const CORNERS = new Set(["both", "neither", "staircase"]);
const QUERY = new Set([
  "id", "op", "from", "to", "origin", "direction", "max_distance", "bounds", "levels", "corner", "channel", "categories", "ignore",
  "skip_start_inside", "max_hits", "rules", "budgets", "unknown", "stop_at_unknown", "blocks", "entities", "solid_only",
  "max_steps", "spans", "level_parts",
]);

function refuse(where, what) {
  throw new Error(`${where}: ${what}`);
}
function vector(value, where) {
  const numbers = Array.isArray(value) ? value.map((part) => (typeof part === "bigint" ? Number(part) : part)) : [];
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) refuse(where, "must be [x, y, z]");
  return numbers;
}

// Parses JSON with integers beyond 2^53, such as ids of entities, as BigInts.
export function parseWide(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (/^-?\d{16,}$/.test(token) ? `"\\u0000${token}"` : token));
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== "string" || !value.startsWith("\0")) return value;
    const wide = BigInt(value.slice(1));
    return Number.isSafeInteger(Number(wide)) ? Number(wide) : wide;
  });
}

// Returns {levels, anchor, types, chunks, entities, shots, late, others, responses, rules}. types: Map from names to {kinds, boxes}, by
// channel. chunks: {level, at, isProto, types}, names by block. shots: queries that are shots, up to the first edit; late: how many
// shots are after it; others: how many queries are no shots.
export function readScenario(text) {
  const file = parseWide(text);
  if (file?.format !== "fractalray-scenario/1") refuse("format", "must be \"fractalray-scenario/1\"");
  if (!(Number.isInteger(file.levels) && file.levels >= 1 && file.levels <= 10)) refuse("levels", "must be 1 to 10");
  const types = new Map(Object.entries(file.block_types ?? {}).map(([name, kind]) => [name, readType(name, kind)]));
  if (!types.has("air")) types.set("air", { kinds: { default: "empty" }, boxes: {} });
  const list = (name) => {
    if (file[name] !== undefined && !Array.isArray(file[name])) refuse(name, "must be a list");
    return file[name] ?? [];
  };
  const queries = list("queries"), all = queries.filter(({ op }) => op === "shoot");
  const firstEdit = queries.findIndex(({ op }) => EDITS.has(op)), before = firstEdit < 0 ? queries : queries.slice(0, firstEdit);
  const shots = before.filter(({ op }) => op === "shoot");
  shots.forEach((query) => {
    for (const member of Object.keys(query)) if (!QUERY.has(member)) refuse(`query ${query.id}`, `unknown member ${member}`);
    if (query.corner !== undefined && !CORNERS.has(query.corner)) refuse(`query ${query.id}`, `unknown corner policy ${query.corner}`);
    for (const name of query.from ? ["from", "to"] : ["origin", "direction"]) vector(query[name], `query ${query.id}, ${name}`);
  });
  return {
    levels: file.levels, anchor: file.anchor ?? "", types, entities: list("entities").map(readEntity),
    chunks: readChunks(list("chunks"), types), shots, late: all.length - shots.length, others: queries.length - all.length,
    responses: file.responses ?? {}, rules: file.rules ?? {},
    about: typeof file.about === "string" ? file.about : "",
  };
}

// Returns what the page says of the queries that it leaves out.
export function leftOut({ late, others }) {
  const said = [];
  if (late > 0) said.push(`${late} ${late === 1 ? "shot is" : "shots are"} left out: the file edits its world before, which this page does not do.`);
  if (others > 0) said.push(`${others} other ${others === 1 ? "query" : "queries"}, which this page does not show.`);
  return said.join(" ");
}

function readType(name, given) {
  const kinds = {}, boxes = {}, words = new Set(["empty", "permeable", "solid"]);
  const put = (channel, kind) => {
    const isObject = typeof kind === "object" && kind !== null;
    kinds[channel] = isObject ? kind.kind : kind;
    if (!words.has(kinds[channel])) refuse(`block type ${name}`, "a kind must be empty, permeable or solid");
    // A word in a channel has the shape of `default`; {"kind": ...} without boxes is whole.
    boxes[channel] = isObject ? kind.boxes ?? null : channel === "default" ? null : boxes.default;
  };
  if (typeof given === "object" && given !== null && given.kind === undefined) {
    put("default", given.default);
    for (const [channel, kind] of Object.entries(given)) if (channel !== "default") put(channel, kind);
  } else put("default", given);
  return { kinds, boxes };
}

function readChunks(given, types) {
  if (given.length > MOST_CHUNKS) refuse("chunks", `there are ${given.length}; this page shows at most ${MOST_CHUNKS}`);
  const seen = new Set();
  return given.map((chunk, i) => {
    const made = readChunk(chunk, `chunks[${i}]`, types), key = `${made.level}:${made.at}`;
    if (seen.has(key)) refuse(`chunks[${i}]`, "a chunk may be listed once");
    seen.add(key);
    return made;
  });
}
function readChunk({ level, at, state = "loaded", fill = "air", boxes = [], blocks = [] }, where, types) {
  vector(at, `${where}.at`);
  const made = new Array(4096).fill(fill);
  const check = (name) => types.has(name) || refuse(where, `unknown block type "${name}"; declare it in block_types`);
  const isBlock = (part) => Number.isInteger(part) && part >= 0 && part <= 15;
  const inside = (point) => vector(point, where).every(isBlock) || refuse(where, "a block must be 0 to 15");
  check(fill);
  for (const [min, max, name] of [...boxes, ...blocks.map(([block, name]) => [block, block, name])]) {
    check(name);
    inside(min);
    inside(max);
    for (let z = min[2]; z <= max[2]; ++z) for (let y = min[1]; y <= max[1]; ++y) {
      made.fill(name, min[0] + 16 * y + 256 * z, max[0] + 16 * y + 256 * z + 1);
    }
  }
  return { level, at, isProto: state === "proto", types: made };
}

function readEntity({ id, level, shape, center, radius, half_extents: half, response = "continue", categories = 1 }, i) {
  vector(center, `entities[${i}].center`);
  if (shape !== "sphere" && shape !== "box") refuse(`entities[${i}]`, "the shape must be sphere or box");
  const size = shape === "sphere" ? { radius } : { halfExtents: vector(half, `entities[${i}].half_extents`) };
  return { id, level, position: center, response, categories, ...size };
}

// Returns the chunks of each level that have blocks: a Map from levels to Sets of their indices, as texts.
export function loadedByLevel(chunks) {
  const made = new Map();
  for (const { level, at, isProto } of chunks) {
    if (isProto) continue;
    if (!made.has(level)) made.set(level, new Set());
    made.get(level).add(at.join());
  }
  return made;
}

// Returns the width of a block of a level, in finest blocks.
export const widthOf = (level, levels) => 16 ** (levels - 1 - level);

// Returns the corner and the scale for pictures: positions minus `origin`, times `scale`, are small numbers.
export function frameOf({ chunks, entities, shots, levels }) {
  const points = chunks.flatMap(({ level, at }) => {
    const width = 16 * widthOf(level, levels);
    return [at.map((part) => part * width), at.map((part) => (part + 1) * width)];
  });
  for (const { position } of entities) points.push(position);
  if (points.length === 0) for (const shot of shots) points.push(shot.from ?? shot.origin);
  if (points.length === 0) points.push([0, 0, 0]);
  const low = [0, 1, 2].map((axis) => Math.min(...points.map((point) => point[axis])));
  const size = Math.max(...[0, 1, 2].map((axis) => Math.max(...points.map((point) => point[axis])) - low[axis]), 1);
  return { origin: low, scale: size > 200 ? 200 / size : 1, size: Math.min(size, 200) };
}
